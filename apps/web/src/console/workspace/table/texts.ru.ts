import type { TableTexts } from './texts.en.js';

const plural = new Intl.PluralRules('ru');
const number = new Intl.NumberFormat('ru');
const count = (n: number, one: string, few: string, many: string): string => {
  const rule = plural.select(n);
  return `${number.format(n)} ${rule === 'one' ? one : rule === 'few' ? few : many}`;
};

export const ru: TableTexts = {
  table: 'Таблица',
  tableOf: (layer) => `Таблица слоя ${layer}`,
  open: (layer) => `Открыть таблицу слоя ${layer}`,
  close: 'Закрыть таблицу',
  resize: 'Высота таблицы',
  idTitle: '№',
  geometryTitle: 'Вид',
  geometryOf: (id) => `Геометрия объекта ${id}`,
  objects: (n) => count(n, 'объект', 'объекта', 'объектов'),
  selected: (n) => `Выбрано: ${number.format(n)}`,
  clearSelection: 'Снять выбор',
  showSelected: 'Показать на карте',
  empty: 'Объектов пока нет',
  emptyHint: 'Добавьте объект здесь или импортируйте файл.',
  failed: 'Не удалось прочитать строки',
  retry: 'Повторить',
  notFound: 'Здесь нет объекта этого слоя',
  time: 'Время',
  edit: (column, id) => `${column}, объект ${id}`,
  notStored: (n) => `Не сохранено: ${count(n, 'значение', 'значения', 'значений')}`,
  notTried: 'Введено до закрытия страницы.',
  tryAll: 'Сохранить снова',
  discardAll: 'Отказаться',
  undo: (what) => `Отменить: ${what}`,
  nothing: 'нечего',
  undone: (what) => `Отменено: ${what}`,
  addObject: 'Добавить объект',
  addedObject: 'Объект добавлен',
  addNow: 'Добавить',
  requiredHint: 'Эти значения обязательны.',
  copyObjects: (n) => `Копировать: ${count(n, 'объект', 'объекта', 'объектов')}`,
  copied: (n) => `Скопировано: ${count(n, 'объект', 'объекта', 'объектов')}`,
  changeObjects: (n) => `Изменить: ${count(n, 'объект', 'объекта', 'объектов')}`,
  changeHint: (n) => `Значение столбца будет заменено: ${count(n, 'объект', 'объекта', 'объектов')}.`,
  changeNow: 'Изменить',
  changed: (n) => `Изменено: ${count(n, 'объект', 'объекта', 'объектов')}`,
  column: 'Столбец',
  newValue: 'Новое значение',
  deleteObjects: (n) => `Удалить: ${count(n, 'объект', 'объекта', 'объектов')}`,
  deleteTitle: (n) => `Удалить ${count(n, 'объект', 'объекта', 'объектов')}?`,
  deleteHint: 'Это можно отменить, пока открыта таблица; объекты получат новые номера.',
  filesGo: (n) => `Вместе с ними пропадёт ${count(n, 'файл', 'файла', 'файлов')}: вернуть их нельзя.`,
  deleteNow: 'Удалить',
  deletedObjects: (n) => `Удалено: ${count(n, 'объект', 'объекта', 'объектов')}`,
  filteredOut: 'Фильтр не пропускает этот объект',
  tooMany: (most) => `Можно выбрать не больше ${number.format(most)} объектов`,
};
