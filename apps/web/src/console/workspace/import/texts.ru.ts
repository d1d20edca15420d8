import type { ImportTexts } from './texts.en.js';

const plural = new Intl.PluralRules('ru');
const number = new Intl.NumberFormat('ru');
const count = (n: number, one: string, few: string, many: string): string => {
  const rule = plural.select(n);
  return `${number.format(n)} ${rule === 'one' ? one : rule === 'few' ? few : many}`;
};

export const ru: ImportTexts = {
  title: (file) => `Импорт: ${file}`,
  dropHere: 'Отпустите файл здесь, чтобы импортировать его',
  oneAtATime: (n) =>
    `${count(n, 'файл ждёт', 'файла ждут', 'файлов ждут')} очереди. Части одного шейп-файла нужно сложить в один zip.`,
  sending: 'Файл отправляется',
  reading: 'Файл читается',
  storing: 'Объекты сохраняются',
  cancel: 'Отменить',
  percent: (n) => `${n} %`,
  foundTitle: 'Что в файле',
  format: 'Формат',
  encoding: 'Кодировка текстов',
  encodingGuess: {
    said: '',
    certain: '',
    likely: 'вероятно',
    uncertain: 'не точно: посмотрите на тексты ниже',
  },
  projection: 'Проекция',
  unknown: 'не указана',
  objects: 'Объекты',
  changed: 'Посмотреть заново',
  asFound: 'как найдено',
  columns: 'Столбцы',
  noColumns: 'В файле нет столбцов.',
  column: 'Столбец',
  type: 'Тип',
  types: {
    number: 'число',
    string: 'текст',
    text: 'длинный текст',
    datetime: 'дата',
    bool: 'да или нет',
    json: 'JSON',
    file: 'файлы',
    geom: 'геометрия',
  },
  firstRows: 'Первые объекты',
  problems: (n) => `${count(n, 'объект', 'объекта', 'объектов')} нельзя сохранить`,
  problemsHint: 'Остальные будут импортированы без них.',
  notes: 'Замечания',
  nothing: 'В файле нет ничего, что можно импортировать.',
  target: 'Куда',
  newLayer: 'В новый слой',
  append: 'Добавить к слою',
  replace: 'Заменить объекты слоя',
  replaceHint: 'Стиль, название и место слоя останутся. Все его нынешние объекты будут удалены.',
  layer: 'Слой',
  layerTitle: 'Название слоя',
  start: 'Импортировать',
  done: 'Импорт завершён',
  stored: (n) => `Сохранено: ${count(n, 'объект', 'объекта', 'объектов')}`,
  refused: (n) => `Не сохранено: ${count(n, 'объект', 'объекта', 'объектов')}`,
  close: 'Закрыть',
  back: 'Назад',
  row: (n) => `№ ${n}`,
};
