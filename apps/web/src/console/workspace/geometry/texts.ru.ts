import type { GeometryTexts } from './texts.en.js';

const plural = new Intl.PluralRules('ru');
const number = new Intl.NumberFormat('ru', { maximumSignificantDigits: 4 });
const count = (n: number, one: string, few: string, many: string): string => {
  const rule = plural.select(n);
  return `${n.toLocaleString('ru')} ${rule === 'one' ? one : rule === 'few' ? few : many}`;
};

export const ru: GeometryTexts = {
  title: (id) => `Форма объекта ${id}`,
  choose: 'Что нарисовать?',
  kinds: ['Точку', 'Линию', 'Площадь'],
  tools: 'Инструменты рисования',
  move: 'Двигать',
  moveHint:
    'Перетаскивайте вершины; малые точки между ними становятся новыми. Правый щелчок удаляет вершину, Delete — выбранное.',
  drawHints: [
    'Щёлкните на карте.',
    'Щёлкайте по вершинам; последнюю ещё раз, чтобы закончить.',
    'Щёлкайте по углам; по первому ещё раз, чтобы закончить.',
  ],
  part: 'Добавить часть',
  hole: 'Вырезать отверстие',
  undo: 'Отменить шаг',
  save: 'Сохранить',
  cancel: 'Отмена',
  coordinates: 'Координаты',
  coordinatesLabel: 'Геометрия в GeoJSON',
  apply: 'Применить',
  noGeoJson: 'Это не геометрия одного вида в GeoJSON.',
  crossing: 'Контур пересекает сам себя. Передвиньте вершину или отмените шаг.',
  looseHole: 'Отверстие лежит вне площади и ничего не вырезает. Передвиньте его или отмените шаг.',
  mixed: 'У объекта точки, линии и площади вместе: рисовать их нельзя.',
  heights: 'У объекта есть высоты, которые при рисовании потерялись бы.',
  tooLarge: (n) => `У объекта ${count(n, 'вершина', 'вершины', 'вершин')}: слишком много для рисования.`,
  length: (metres) => (metres < 1000 ? `${number.format(metres)} м` : `${number.format(metres / 1000)} км`),
  area: (squareMetres) =>
    squareMetres < 10_000
      ? `${number.format(squareMetres)} м²`
      : squareMetres < 1_000_000
        ? `${number.format(squareMetres / 10_000)} га`
        : `${number.format(squareMetres / 1_000_000)} км²`,
  vertices: (n) => count(n, 'вершина', 'вершины', 'вершин'),
  none: 'формы нет',
  kept: (id) => `Нарисованная форма объекта ${id} не сохранена`,
  goOn: 'Рисовать дальше',
  giveUp: 'Отказаться от неё',
  stored: (id) => `Форма объекта ${id} сохранена`,
  step: (id) => `Форма объекта ${id}`,
  shape: 'Форма',
};
