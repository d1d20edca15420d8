import type { NoteWordings } from './translateNote.js';

const plural = new Intl.PluralRules('ru');
const number = new Intl.NumberFormat('ru');
const count = (n: number, one: string, few: string, many: string): string => {
  const rule = plural.select(n);
  return `${number.format(n)} ${rule === 'one' ? one : rule === 'few' ? few : many}`;
};
const columns = (n: number): string => count(n, 'столбец', 'столбца', 'столбцов');
const objects = (n: number): string => count(n, 'объект', 'объекта', 'объектов');
const ofObjects = (n: number): string => count(n, 'объекта', 'объектов', 'объектов');
const records = (n: number): string => count(n, 'запись', 'записи', 'записей');
const values = (n: number): string => count(n, 'значение', 'значения', 'значений');
const vertices = (n: number): string => count(n, 'вершина', 'вершины', 'вершин');

/** The notes of imports in Russian. */
export const ru: NoteWordings = {
  linesAboveHeader: ({ count: n }) =>
    `Пропущено над названиями столбцов: ${count(n, 'строка', 'строки', 'строк')}`,
  onlyRowIsHeader: 'Единственная строка принята за названия столбцов. Если в ней значения, укажите header=0',
  otherSheets: 'Прочитан лист «{sheet}», остальные нет: {others}. Чтобы прочитать другой, укажите sheet',
  leftOutProperties: 'Пропущены свойства, как указано в запросе: {names}',

  encodingUndeclared:
    'Кодировка текстов в файле не указана: судя по буквам, это {encoding} ({certainty}). Если это неверно, укажите кодировку',
  encodingAgainst:
    'В файле указана кодировка текстов {declared}, но, судя по буквам, это {encoding} ({certainty}). Если это неверно, укажите кодировку',
  certain: 'наверняка',
  likely: 'вероятно',
  uncertain: 'не точно',
  orElse: '{certainty}, иначе {other}',

  valuesRestored: ({ count: n, file }) => `Из ${file} восстановлено то, что формат меняет: ${values(n)}`,
  valuesChanged: ({ count: n, file, values: names }) =>
    `Отличается от записанного при экспорте: ${values(n)}. Взято то, что в файле, а не в ${file} (${names})`,

  arcsAsLines: 'Дуги окружностей сохранены как линии с вершинами через каждые 4 градуса',
  positionsMoved: ({ count: n }) =>
    `У ${ofObjects(n)} координаты чуть выходили за 180 или 90 градусов, как при округлении: они сдвинуты на край`,
  noProjection: 'В «{name}» не указана проекция: приняты долгота и широта',
  noPrj: 'Рядом с «{name}» нет .prj: приняты долгота и широта',
  datumUnknown:
    'Датум проекции ({srs}) неизвестен: координаты не приведены к WGS 84 и могут быть смещены на сотни метров; укажите проекцию',

  noAttributes: 'Рядом с «{name}» нет .{extension}: у объектов нет атрибутов',
  noShapes: 'Рядом с «{name}» нет .shp: у объектов нет геометрии',
  fileNotRead: 'Файл «{name}» не читается и пропущен',
  tabLeftOut: 'Файл «{name}» пропущен: это {kind}',
  tabView: 'представление, которое показывает строки других таблиц',
  tabSeamless: 'сшитая таблица, которая объединяет другие',
  tabImage: 'привязка изображения',
  tabElsewhere: 'таблица типа {type}, строки которой лежат в другом месте',
  featureCount: ({ name, told, count: n }) =>
    `В «${name}» заявлено ${objects(told)}, но на деле там ${objects(n)}`,
  otherValuesOfPoints: 'Взяты только координаты и высоты, остальные значения пропущены ({points}: {count})',
  routePoints: 'точки маршрутов',
  trackPoints: 'точки треков',
  binaryColumns: ({ count: n, name }) => `В «${name}» пропущено: ${columns(n)} с двоичными данными`,
  memoColumns: ({ count: n, name }) => `В «${name}» пропущено: ${columns(n)} с memo или двоичными данными`,
  measuresLeftOut: 'Меры (M) вершин в «{name}» пропущены',
  measuresOfShapes: 'Меры (M) вершин пропущены',
  textObjects: ({ count: n, name }) =>
    `В «${name}» ${count(n, 'объект — это надпись', 'объекта — это надписи', 'объектов — это надписи')}: слова и размер пропущены`,
  geometriesUnreadable: ({ count: n, name }) =>
    `В «${name}» не удалось прочитать геометрию ${ofObjects(n)}: сохранено без неё`,
  dbfCount: ({ told, present }) =>
    `В заголовке .dbf заявлено: ${records(told)}; найдено и прочитано: ${number.format(present)}`,
  dbfTooShort: ({ present, shapes, missing }) =>
    `В .dbf ${records(present)}, а в .shp — ${number.format(shapes)}: без атрибутов ${objects(missing)}`,
  dbfTooLong: ({ count: n }) => `Пропущено в .dbf: ${records(n)} без фигур в .shp`,
  shxBeyond: ({ count: n }) => `В .shx указывает за конец .shp: ${records(n)}`,
  shpUnused: ({ count: n }) =>
    `Судя по .shx, в .shp не принадлежит ни одной записи: ${count(n, 'байт', 'байта', 'байт')}`,

  boxTaken: 'Использован raster_bbox, а не привязка самого изображения',
  imageWithoutProjection: 'В изображении не указана проекция: приняты долгота и широта',
  prjNotUnderstood: 'Проекцию из .prj не удалось понять',
  firstImage: ({ count: n }) =>
    `В файле ${count(n, 'изображение', 'изображения', 'изображений')}: взято первое`,
  fourthBand: 'Четвёртый канал — не прозрачность: он не рисуется',
  valuesScaled: 'Значения пересчитаны, как указано в файле: × {scale} + {offset}',
  maskLeftOut: 'Файл с именем маски (.msk) — не TIFF: он пропущен',
  colorsScaled: 'Цвета по 16 бит приведены к 8 битам',

  remark: '{count} × {what}: {becomes}',
  remarkOnFeatures: '{count} × {what} (объекты: {features}): {becomes}',
  otherThings: 'прочее',
  lineOfOnePosition: 'линия из одной вершины',
  positionTwice: 'сохранено с этой вершиной дважды',
  shortRing: 'кольцо меньше чем из четырёх вершин',
  lastPositionAgain: 'сохранено с повтором последней вершины',
  wideRow: 'строка, в которой ячеек больше, чем названий столбцов',
  numberedColumns: 'лишние ячейки сохранены в столбцах, названных по номеру',
  deletedRecord: 'запись, помеченная как удалённая',
  noObject: 'не объект, пропущено',
  pointWithoutNumbers: 'точка, координаты которой — не числа',
  withoutGeometry: 'сохранено без геометрии',
  arcOfCircle: 'дуга окружности',
  storedAsLine: 'сохранено как линия',
  geometryInProperty: 'геометрия в свойстве «{name}»',
  storedAsGeometry: 'сохранено как геометрия объекта',
  memberOfFeature: 'элемент «{name}» объекта',
  notRead: 'не читается, пропущено',
  howShown: 'оформление, пропущено',
  elementId: 'идентификатор (id) элемента',
  trackWithMoments: 'трек с отметками времени',
  firstAndLast: 'первая и последняя взяты как начало и конец, остальные пропущены',
  valueWithoutName: 'значение без названия',
  nameTwice: 'значение с названием, которое уже было',
  lastKept: 'взято последнее',
  longPosition: 'координаты больше чем из трёх чисел',
  firstThreeKept: 'взяты первые три',

  ofFeature: 'объект {feature}: {reason}',
  ofLine: 'объект {feature} (строка {line}): {reason}',
  ofGeometry: 'геометрия: {reason}',
  ofColumn: 'столбец «{column}» {reason}',
  ofText: '{reason}; в файле: «{text}»',
  ofProperty: '{property}: {reason}',
  idTwice: 'id {id} уже есть у объекта {first}',
  keyTwice: '{key} = {value} уже есть у объекта {first}',
  keyOfSeveral: ({ count: n, key, value }) => `в слое ${objects(n)} с ${key} = ${value}`,
  mustHaveValue: 'в столбце «{column}» должно быть значение',
  noObjectId: 'svc_id — не идентификатор объекта или не совпадает с id',
  quoteInside: 'после закрывающей кавычки стоит {found}',

  takesNumber: 'принимает числа меньше 2^53',
  takesString: ({ count: n }) =>
    `принимает тексты не длиннее ${count(n, 'знака', 'знаков', 'знаков')}, без знака NUL`,
  takesText: 'принимает тексты без знака NUL',
  takesDatetime: 'принимает даты ISO 8601 (2024-05-01T12:00:00Z) или миллисекунды с 1970 года',
  takesBool: 'принимает true или false',
  takesFiles: 'принимает id файлов этого объекта через запятую',
  takesJson: 'принимает JSON без знака NUL, не более 100 000 значений и не глубже 200 уровней',
  takesNothing: 'не принимает значений',
  takesLanguages: 'принимает значения по кодам языков',
  numberTooLarge: 'число слишком велико',
  textWithNul: 'в тексте есть знак с кодом 0',
  textWithSurrogate: 'в тексте есть половина суррогатной пары',
  textNotInEncoding: 'текст не соответствует кодировке {encoding}; укажите кодировку',
  noNumber: '«{text}» — не число',
  noJson: '«{text}» — не JSON',
  otherDecimal: 'в «{text}» другой разделитель дробной части, чем в предыдущих числах',
  ambiguousNumber: '«{text}» можно прочитать как два разных числа: укажите decimal',
  otherDateOrder: 'в «{text}» день и месяц в другом порядке, чем в предыдущих датах',
  ambiguousDate: '«{text}» можно прочитать как два разных дня: пишите даты в виде 2024-12-31 или 31.12.2024',

  noGeometryObject: 'геометрия GeoJSON должна быть объектом',
  noGeometryType: 'такого типа геометрии в GeoJSON нет',
  collectionsTooDeep: ({ depth }) =>
    `коллекции вложены друг в друга глубже чем на ${count(depth, 'уровень', 'уровня', 'уровней')}`,
  nestedTooDeep: 'коллекции вложены друг в друга слишком глубоко',
  noArray: 'не массив: {what}',
  emptyArray: 'пустой массив: {what}',
  theGeometries: 'геометрии',
  theCoordinates: 'координаты',
  noPosition: 'координаты вершины — массив из 2 или 3 чисел',
  positionNotFinite: 'среди координат есть не конечное число',
  tooManyPositions: ({ count: n }) => `больше ${count(n, 'вершины', 'вершин', 'вершин')}`,
  positionBeyond: 'координаты {x},{y} вне допустимых пределов (долгота первая)',
  positionBeyondDegrees:
    'координаты {x},{y} вне допустимых пределов (долгота первая); укажите проекцию, если это не градусы',
  positionWithoutPlace: 'координаты {x},{y} не имеют места в проекции {srs}',
  shortLine: 'в линии меньше двух вершин',
  ringTooShort: 'в кольце меньше четырёх вершин',
  openRing: 'кольцо не замкнуто: первая и последняя вершины различаются',
  geoJsonNotJson: 'GeoJSON записан с ошибкой: это не JSON',
  geometryCutOff: 'геометрия обрывается',
  geometryNotTaken: 'геометрии вида {kind} не принимаются',
  wrongMember: '{found} там, где нужен {wanted}',
  wktCutOff: 'текст WKT обрывается',
  wktNotUnderstood: 'текст WKT непонятен начиная с {text} (знак {character})',
  wktPoint: 'у точки несколько пар координат',
  wktPosition: 'у вершины больше четырёх чисел',
  incompleteArc: ({ count: n }) => `в ломаной из дуг ${vertices(n)}, а нужно 3, 5, 7 …`,
  otherProjection: 'проекция {srs} не та, что в предыдущих строках ({before}): укажите проекцию',
  shapeCutOff: 'фигура обрывается',
  shapeUnknown: 'фигуры типа {type} неизвестны',
  shapeParts: 'части фигуры перекрываются или выходят за её конец',
  kmlPoint: 'в элементе Point несколько пар координат',
  kmlPolygon: 'в элементе Polygon нет внешней границы',
  noKmlPosition: '«{text}» — не координаты',
  sxfPositions: 'вершин больше, чем помещается в записи',
  sxfCoordinate: 'координата — не число',
  sxfLongValue: 'значение {code} длиннее записи',
  sxfValueType: 'значение неизвестного типа {type}',
  sxfValue: 'значение — не число',
  sxfKind: 'объект неизвестного вида {kind}',
  coordinateMissing: 'нет одной из двух координат',
  noCoordinatePair: '«{text}» — не пара координат',
  coordinateTwice: 'в «{text}» одна и та же координата дважды',
  noCoordinate: '«{text}» — не координата',
  latitudeMisplaced: '«{text}» — широта в столбце долготы',
  longitudeMisplaced: '«{text}» — долгота в столбце широты',
};
