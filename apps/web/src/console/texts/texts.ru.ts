import type { ConsoleTexts } from './texts.en.js';

const plural = new Intl.PluralRules('ru');
const number = new Intl.NumberFormat('ru');
const count = (n: number, one: string, few: string, many: string): string => {
  const rule = plural.select(n);
  return `${number.format(n)} ${rule === 'one' ? one : rule === 'few' ? few : many}`;
};

export const ru: ConsoleTexts = {
  console: 'Консоль',
  skip: 'Перейти к содержанию',
  projects: 'Проекты',
  signInHint: 'Войдите, чтобы создавать и наполнять карты.',
  noAccess: 'У вас нет доступа к консоли',
  noAccessHint: 'Попросите администратора проекта открыть его.',
  noPlace: 'По этому адресу ничего нет',
  noPlaceHint: 'Возможно, его переместили или удалили.',
  toStart: 'В начало консоли',
  chooseProject: 'Выберите проект',
  mapsOf: (project) => `Карты проекта ${project}`,
  findMap: 'Найти по названию или коду',
  public: 'Для всех',
  newMap: 'Новая карта',
  noMaps: 'Карт пока нет',
  noMapsHint: 'Создайте первую карту, чтобы наполнить её слоями.',
  mapName: 'Название',
  mapCode: 'Код',
  mapCodeHint: 'Для адреса: латинские буквы, цифры, _, -',
  isPublic: 'Карту видят все',
  isPublicHint: 'Иначе только пользователи с собственным правом.',
  make: 'Создать карту',
  cancel: 'Отменить',
  codeTaken: 'Этот код занят другой картой. Выберите другой.',
  codeInvalid: 'В коде от 1 до 63 латинских букв, цифр, подчёркиваний и дефисов.',
  codeReserved: 'Этот код нужен самому сервису. Выберите другой.',
  forbidden: 'Ваши права больше этого не позволяют.',
  gone: 'Это уже удалили.',
  show: (map) => `Посмотреть карту «${map}»`,
  remove: (map) => `Удалить карту «${map}»`,
  removeTitle: 'Удалить карту?',
  removes: (name) => `«${name}»: будет удалено навсегда. Также будут удалены:`,
  removesNothing: (name) => `«${name}»: будет удалено навсегда. Внутри ничего нет.`,
  removeNow: 'Удалить навсегда',
  readers: (names) => `Эти слои читают из неё и перестанут работать: ${names}`,
  otherReaders: (n) => `и ещё ${count(n, 'слой', 'слоя', 'слоёв')}, которых вы не видите`,
  layers: (n) => count(n, 'слой', 'слоя', 'слоёв'),
  folders: (n) => count(n, 'папка', 'папки', 'папок'),
  objects: (n) => count(n, 'объект', 'объекта', 'объектов'),
  files: (n) => count(n, 'файл', 'файла', 'файлов'),
  grants: (n) => count(n, 'выданное право', 'выданных права', 'выданных прав'),
  made: (map) => `Карта «${map}» создана`,
  removed: (map) => `Карта «${map}» удалена`,
};
