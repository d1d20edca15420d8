import type { NoteWordings } from './translator.js';

const plural = new Intl.PluralRules('ru');
const number = new Intl.NumberFormat('ru');
const count = (n: number, one: string, few: string, many: string): string => {
  const rule = plural.select(n);
  return `${number.format(n)} ${rule === 'one' ? one : rule === 'few' ? few : many}`;
};
const bands = (n: number): string => count(n, 'канал', 'канала', 'каналов');
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
  otherSheets: 'Прочитан лист «{sheet}», остальные нет: {others}. Чтобы прочитать другой, укажите его',
  severalLayers: ({ count: n, names }) =>
    `В файле ${count(n, 'слой', 'слоя', 'слоёв')}, прочитаны все: ${names}. Чтобы прочитать только один, укажите его`,
  noSuchLayer: 'В файле нет слоя «{name}»; есть {names}',
  leftOutProperties: 'Пропущены свойства, как указано в запросе: {names}',

  encodingUndeclared:
    'Кодировка текстов в файле не указана: судя по буквам, это {encoding} ({certainty}). Если это неверно, укажите кодировку',
  encodingAgainst:
    'В файле указана кодировка текстов {declared}, но, судя по буквам, это {encoding} ({certainty}). Если это неверно, укажите кодировку',
  encodingConfirmed:
    'В файле указана кодировка текстов {encoding}; судя по буквам, это {certainty} так. Если это неверно, укажите кодировку',
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
  noShapes: 'Рядом с «{name}» нет .shp: геометрия у объектов есть, только если она в столбцах',
  fileNotRead: '«{name}» не читается, пропущено',
  filesNotRead: ({ count: n, names }) =>
    `В архиве не прочитано: ${count(n, 'файл', 'файла', 'файлов')} (${names})`,
  cellErrors: ({ count: n }) =>
    `Вместо значения ошибка формулы: ${count(n, 'ячейка', 'ячейки', 'ячеек')}. Они оставлены пустыми`,
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
  measuresOfPositions: 'меры (M) вершин',
  misdirectedRings: 'площадь, кольца которой идут в неверном направлении',
  ringsByPlace: 'кольца внутри других приняты за отверстия',
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
  takesJson:
    'принимает JSON без знака NUL и чисел от 1,8e308, не более 100 000 значений и не глубже 200 уровней',
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

  ofCollection: 'коллекция: {reason}',
  ofCrs: 'элемент crs: {reason}',
  noFeatureType: 'тип (type) — не Feature',
  noProperties: 'свойства (properties) — не объект',
  noUtf8: 'в байте {byte} текст не в UTF-8',
  invalidJson: 'в байте {byte} ошибка JSON',
  tooManyProperties: ({ count: n }) =>
    `в файле больше ${count(n, 'разного свойства', 'разных свойств', 'разных свойств')}`,
  longPropertyName: 'название свойства слишком длинное',
  sameColumn: 'свойства «{first}» и «{second}» относятся к одному столбцу {column}',

  noImage:
    'Файл — не изображение, которое можно прочитать: для растрового слоя нужен TIFF (GeoTIFF), PNG или JPEG, сам по себе или в архиве zip',
  noImageInArchive: 'В архиве нет изображения, которое можно прочитать (tif, png, jpg)',
  severalImages: ({ count: n }) =>
    `В архиве ${count(n, 'изображение', 'изображения', 'изображений')}, а в слое может быть одно`,
  imageSize: 'Размер изображения — {width} × {height} пикселей',
  imageTooLarge:
    'Размер изображения — {width} × {height} пикселей; можно не больше {pixels} всего и не больше {side} по стороне',
  imageTooLargeThere:
    'В EPSG:3857 размер изображения был бы {width} × {height} пикселей: больше, чем разрешают настройки',
  tiffCompression: 'Сжатие TIFF {name} не читается: сохраните файл с DEFLATE или LZW',
  imageInCmyk: 'Изображение в CMYK: сохраните его в RGB',
  imageInLab: 'Изображение в L*a*b*: сохраните его в RGB',
  complexNumbers: 'В изображении комплексные числа: они не читаются',
  pngDamaged: 'Файл PNG повреждён',
  jpegDamaged: 'Файл JPEG повреждён: в нём нет кадра',
  jpegBits: 'В файле JPEG по {bits} бит на значение, а читается 8',
  maskSize: 'Размер маски (.msk) не такой, как у изображения',
  maskCompression: 'Сжатие маски (.msk) не читается: сохраните её с DEFLATE или LZW',
  noBands: 'В изображении нет каналов',
  bandTypes: 'Каналы изображения разных типов: {types}',
  bandCount: ({ count: n }) =>
    `В изображении ${bands(n)}: читаются изображения с 1 каналом (значения, оттенки серого, палитра), 3 каналами (RGB) и 4 (с прозрачностью)`,
  bandType: ({ count: n, type }) =>
    `В изображении ${bands(n)} типа ${type}: если каналов несколько, читаются 8 и 16 бит`,
  imageType: 'Изображения типа {type} не читаются',
  worldFile: 'В файле привязки нет шести чисел, которые говорят, где лежит изображение',
  noImageProjection: 'Известно, где лежит изображение, но не в какой проекции; укажите проекцию',
  imageOnHeights:
    'Место изображения зависит от высот местности (коэффициенты RPC): исправьте его, например, командой gdalwarp -rpc, или укажите, где оно лежит',
  noGeoreference: 'У изображения нет привязки; укажите, где оно лежит',
  imageWithoutPlace: 'Для «{name}» нет места на карте с указанной проекцией и привязкой',

  emptyFile: 'Файл пуст',
  endsTooEarly: ({ count: n }) =>
    `Файл обрывается раньше времени, после ${count(n, 'байта', 'байт', 'байт')}`,
  webPage: 'Это веб-страница (HTML): объектов для импорта в ней нет',
  esriJson: 'Это JSON программ Esri (ArcGIS), он не импортируется: сохраните его как GeoJSON',
  unknownContent: 'По содержимому файл не относится ни к одному из читаемых форматов ({kinds})',
  noContent: 'Файл «{name}» по содержимому не {kind}',
  namedAs: 'Файл назван как {kind}, но по содержимому это не так',
  namedAsDbf:
    'Файл назван как dbf, но это не таблица dBase III–V или FoxPro: сохраните его в таком виде или как csv',
  noTable: 'В тексте не удалось узнать таблицу: в файле csv должны быть строки из ячеек',
  openQuote: 'Строка {line}: кавычка не закрыта',
  shapefileInParts:
    'Шейп-файл состоит из нескольких файлов: отправьте .shp, .shx, .dbf и .prj в одном архиве zip',
  mapInfoInParts:
    'Таблица MapInfo состоит из нескольких файлов: отправьте .tab, .dat, .map и .id в одном архиве zip',
  noZip: 'Архив — не zip, или он повреждён',
  zipCutOff: 'Архив — не zip, или он обрывается',
  archiveOfNothing:
    'В архиве нет ничего, что можно импортировать ({kinds}); архивы внутри него ({archives}) не открываются',
  severalFormats: 'В архиве данные разных форматов ({kinds}): импортируйте их по одному',
  partMissing: ({ name, parts }) =>
    `В архиве есть «${name}», но рядом нет .${parts.replaceAll(' or ', ' или ')}`,
  archiveEncrypted: 'Архив зашифрован: «{name}»',
  archiveTooLarge: 'В распакованном виде архив больше, чем можно («{name}»)',
  projectionNotUnderstood: 'Проекцию «{name}» не удалось понять ({projection}): укажите проекцию',
  planeCoordinates: 'Координаты «{name}» лежат на плоскости без места на Земле (non-earth): укажите проекцию',
  projectionUnknown: 'Проекция файла неизвестна ({srs}): укажите проекцию',
  shpDamaged: 'Файл .shp обрывается или повреждён',
  dbfDamaged: 'Файл .dbf обрывается или повреждён',
  dbfCutOff: ({ told, present }) =>
    `В .dbf заявлено: ${records(told)}, но он кончается после ${number.format(present)}: файл обрывается или повреждён`,
  layerCutOff: ({ name, told, count: n }) =>
    `В «${name}» заявлено: ${objects(told)}, но прочитать удалось ${number.format(n)}: файл обрывается или повреждён`,
  kmlCutOff: 'Файл KML обрывается',
  dxfCutOff: 'Файл «{name}» кончается не так, как DXF: он обрывается или повреждён',
  sxfWithoutProjection: 'В SXF не указана известная проекция: укажите её',
};
