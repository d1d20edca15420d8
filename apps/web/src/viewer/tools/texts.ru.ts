import type { ToolTexts } from './texts.en.js';

const plural = new Intl.PluralRules('ru');
const count = (n: number, one: string, few: string, many: string): string =>
  `${n.toLocaleString('ru')} ${{ one, few, many, zero: many, two: few, other: few }[plural.select(n)]}`;

export const ru: ToolTexts = {
  tools: 'Инструменты',
  toolsOf: 'Инструменты карты',
  share: 'Поделиться',
  shareHint: 'Ссылка покажет карту так, как видите её вы: место, слои и открытый объект.',
  link: 'Ссылка',
  embed: 'Вставить в страницу',
  embedHint:
    'Вставьте этот код в исходный текст своей страницы. Какие сайты могут показывать карту, решает владелец сервиса.',
  embedPrivate: 'Эта карта открыта не для всех. На другой странице её никто не увидит.',
  openMap: (name) => `${name}: открыть карту в новой вкладке`,
  embedCode: 'Код HTML',
  copyLink: 'Скопировать ссылку',
  copyEmbed: 'Скопировать код',
  loadFailed: 'Инструмент не загрузился. Проверьте соединение и откройте его ещё раз.',
  measure: 'Измерить',
  distance: 'Расстояние',
  area: 'Площадь',
  measureHint:
    'Ставьте точки щелчком или касанием. С клавиатуры: стрелки двигают карту, Enter ставит точку под перекрестием.',
  undoPoint: 'Убрать последнюю',
  startAgain: 'Сначала',
  pointsMissing: (n) => `Поставьте ещё ${count(n, 'точку', 'точки', 'точек')}`,
  perimeter: (length) => `Периметр ${length}`,
  lastSegment: (length) => `Последний отрезок ${length}`,
  ha: 'га',
  m2: 'м²',
  km2: 'км²',
  objects: 'Объекты и фильтр',
  noLayerWithObjects: 'Включите слой с объектами.',
  filterBy: 'Фильтр по полю',
  noFilter: 'Все объекты',
  noValues: 'Здесь ни у одного объекта нет значения.',
  frequentValues: (n) =>
    `${count(n, 'самое частое значение', 'самых частых значения', 'самых частых значений')}:`,
  from: 'От',
  to: 'До',
  play: 'Запустить',
  pause: 'Остановить',
  inView: (n) => `${count(n, 'объект', 'объекта', 'объектов')} на экране`,
  firstInView: (n) =>
    `Первые ${n.toLocaleString('ru')} объектов на экране. Приблизьте карту, чтобы увидеть остальные`,
  filters: 'Фильтры',
  showAll: (name) => `${name}: показать все объекты`,
  compare: 'Сравнить с другой картой',
  compareHint: 'Другая карта лежит справа от линии. Двигайте линию мышью, пальцем или стрелками.',
  otherMap: 'Другая карта',
  chooseMap: 'Выберите карту',
  noOtherMap: 'Другой карты для сравнения нет.',
  divider: (left, right) => `Граница карт «${left}» и «${right}»`,
  sheet: 'Печать и картинка',
  sheetHint: 'На листе та часть карты, которую вы видите.',
  title: 'Заголовок',
  print: 'Напечатать или сохранить в PDF',
  savePicture: 'Сохранить картинку',
  drawAgain: 'Взять то, что видно сейчас',
};
