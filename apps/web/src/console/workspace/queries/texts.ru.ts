import type { QueryTexts } from './texts.en.js';

const plural = new Intl.PluralRules('ru');
const number = new Intl.NumberFormat('ru');
const seconds = new Intl.NumberFormat('ru', { maximumFractionDigits: 1, style: 'unit', unit: 'second' });
const time = new Intl.DateTimeFormat('ru', { dateStyle: 'medium', timeStyle: 'short' });
const rowsOf = (n: number): string => {
  const rule = plural.select(n);
  return `${number.format(n)} ${rule === 'one' ? 'строка' : rule === 'few' ? 'строки' : 'строк'}`;
};

export const ru: QueryTexts = {
  addQuery: 'Запрос',
  newQuery: 'Новый запрос',
  tab: 'Запрос',
  title: 'Название',
  kind: 'Когда он выполняется',
  kinds: {
    virtual: 'Всегда: показывает данные, какие они сейчас',
    material: 'Когда вы его обновите: результат хранится',
  },
  sql: 'SQL',
  hint: 'Один SELECT. Слои пишутся карта.слой. В результате нужен svc_id, целое число, своё в каждой строке, а для рисования geom.',
  editorHelp: 'Ctrl Пробел подсказывает слои и столбцы. Escape, затем Tab выводит из редактора.',
  make: 'Выполнить и добавить',
  save: 'Выполнить и сохранить',
  cancel: 'Отменить',
  running: 'Запрос выполняется…',
  stop: 'Остановить',
  stopped: 'Запрос остановлен',
  preview: 'Предпросмотр',
  previewRows: 'Предпросмотр: первые строки, ничего не сохранено',
  place: (line, column) => `Строка ${line}, столбец ${column}`,
  took: (ms) => `Заняло ${seconds.format(ms / 1000)}`,
  refresh: 'Обновить',
  refreshed: (at, rows) => `Обновлено ${time.format(new Date(at))}, ${rowsOf(rows)}`,
  empty: 'Запрос пуст: напишите SELECT',
  notOwner: 'Обновить этот слой может только тот, кто его создал',
  firstRows: 'Первые строки',
  noRows: 'Запрос не даёт строк',
  added: (name) => `«${name}»: добавлено`,
  saved: (name) => `Сохранено: «${name}»`,
  renewed: (name) => `«${name}»: обновлено`,
};
