/**
 * Mistakes of styles, queries and icons in Russian, by what the compiler of styles, the check of queries, the database and
 * the check of icons say.
 * Placeholders as in the notes of imports: `{#n}` a whole number, `{?part}` a text of this table or any other.
 */
export const mistakes: Readonly<Record<string, string>> = {
  // CartoCSS: the text
  'unexpected {?what}': 'неожиданно: {what}',
  'unexpected {?what}; is a ; missing before it?': 'неожиданно: {what}; может быть, перед этим нет ;?',
  'unexpected {?what} after a selector': 'неожиданно после селектора: {what}',
  'unexpected {?what} in a filter': 'неожиданно в фильтре: {what}',
  'unexpected {?what} in parentheses': 'неожиданно в скобках: {what}',
  'unexpected {?what} in the arguments of {name}()': 'неожиданно в аргументах {name}(): {what}',
  'unexpected {?what} in the expression': 'неожиданно в выражении: {what}',
  "unexpected '}': no block is open here": 'лишняя «}»: здесь нет открытого блока',
  "unexpected '='": 'лишний «=»',
  'the end of the style': 'конец стиля',
  "expected ':' after {name}": 'после {name} нужно двоеточие',
  "'{name}' is not a selector": '«{name}» — не селектор',
  '@{name} is not part of CartoCSS': '@{name} в CartoCSS нет',
  'a value is missing': 'нет значения',
  'missing ; after the value': 'после значения нет ;',
  'this block is not closed': 'этот блок не закрыт',
  'this comment is not closed': 'этот комментарий не закрыт',
  'this string is not closed': 'этот текст не закрыт кавычкой',
  'this parenthesis is not closed': 'эта скобка не закрыта',
  'this name of a column is not closed': 'название столбца не закрыто скобкой',
  'this url( is not closed': 'этот url( не закрыт',
  'the expression is not complete': 'выражение не закончено',
  "expected '{token}' in the expression": 'в выражении нужно «{token}»',
  'a variable needs a name': 'у переменной должно быть имя',
  'the variable @{name} is not defined': 'переменная @{name} не определена',
  'the variable @{name} is not defined; did you mean @{near}?':
    'переменная @{name} не определена; может быть, @{near}?',
  'the variable @{name} is defined by itself': 'переменная @{name} определена через саму себя',
  'the variable @{name} is defined in a block': 'переменная @{name} определена внутри блока',

  // CartoCSS: properties and their values
  'unknown property {name}': 'неизвестное свойство {name}',
  'unknown property {name}; did you mean {near}?': 'неизвестное свойство {name}; может быть, {near}?',
  "the layer has no column '{name}'": 'в слое нет столбца «{name}»',
  "the layer has no column '{name}'; did you mean {near}?":
    'в слое нет столбца «{name}»; может быть, {near}?',
  'the layer has no columns': 'в слое нет столбцов',
  '{?value} is no value of {property}': '{value} не подходит для {property}',
  '{?value} is no value of {property}; did you mean {near}?':
    '{value} не подходит для {property}; может быть, {near}?',
  '{property} must be from {min} to {max}, not {value}': '{property}: нужно от {min} до {max}, а не {value}',
  '{property} takes one value, not several': '{property}: нужно одно значение, а не несколько',
  '{property} cannot depend on the data': '{property} не может зависеть от данных',
  '{property} needs {other} where it applies': '{property}: нужно и {other}',
  '{property} needs a text': '{property}: нужен текст',
  '{property} takes the name of an icon, not {?value}': '{property}: нужно название значка, а не {value}',
  "'{name}' is a column and needs brackets": '«{name}» — столбец: его пишут в квадратных скобках',
  "unknown font '{name}'": 'неизвестный шрифт «{name}»',
  "unknown icon '{name}'": 'неизвестный значок «{name}»',
  "unknown unit '{name}'": 'неизвестная единица «{name}»',
  'unknown function {name}()': 'неизвестная функция {name}()',
  'unknown function {name}(); did you mean {near}?': 'неизвестная функция {name}(); может быть, {near}?',
  '{name}() takes {count} argument, not {#given}': '{name}(): нужно аргументов: {count}, а не {given}',
  '{name}() takes {count} arguments, not {#given}': '{name}(): нужно аргументов: {count}, а не {given}',
  '{name}() takes numbers and columns': '{name}() принимает числа и столбцы',
  "'#{digits}' is not a colour": '#{digits} — не цвет',
  'cannot compute {?left} {op} {?right}': 'нельзя вычислить: {left} {op} {right}',
  'the number {value}': 'число {value}',
  'the colour {value}': 'цвет {value}',
  "the text '{value}'": 'текст «{value}»',
  'an expression': 'выражение',
  'several values': 'несколько значений',
  'a list': 'список',

  // CartoCSS: selectors and filters
  "#{name} selects no layer: this style belongs to '{layer}'":
    '#{name} не выбирает ни одного слоя: это стиль слоя «{layer}»',
  '.{name} selects nothing: the layer has no such class':
    '.{name} ничего не выбирает: у слоя нет такого класса',
  '{name} stands outside of a block': '{name} стоит вне блока',
  '{name} belongs into Map { }': '{name} пишут в Map { }',
  'this selector matches nothing: its filters exclude each other':
    'селектор ничего не выбирает: его фильтры исключают друг друга',
  'this selector matches nothing: it excludes what the blocks around it select':
    'селектор ничего не выбирает: он исключает то, что выбирают блоки вокруг',
  "the column '{name}' holds numbers": 'в столбце «{name}» числа',
  "the column '{name}' holds texts": 'в столбце «{name}» тексты',
  "the column '{name}' holds true and false": 'в столбце «{name}» true и false',
  'the word {name} is neither true, false nor null': '{name} — не true, не false и не null',
  '{?value} cannot be compared': '{value}: сравнить нельзя',
  '{?value} is no zoom level': '{value} — не масштаб',
  'there is no zoom level {value}': 'масштаба {value} нет',

  // CartoCSS: what is expected instead
  'a value': 'значение',
  'a number': 'число',
  'a colour': 'цвет',
  'a column': 'столбец',
  'a number, a text or a column': 'число, текст или столбец',
  'a property or a selector': 'свойство или селектор',
  'a selector': 'селектор',
  'true or false': 'true или false',
  '; or }': '; или }',
  '#{layer} or #layer': '#{layer} или #layer',
  'the name of an icon': 'название значка',
  'one = compares': 'сравнивает один =',

  // icons
  'An icon is an SVG (UTF-8) or a PNG': 'Значок — это SVG (UTF-8) или PNG',
  'The PNG is damaged': 'Этот PNG повреждён',
  'A PNG must be 1 to {side} pixels wide and high': 'Ширина и высота PNG — от 1 до {side} пикселей',
  'The SVG is not accepted: line {line}: {?reason}': 'Этот SVG не подходит: строка {line}: {reason}',
  'document must contain a root element.': 'в нём ничего нет',
  'the root is <{name}>, not <svg>': 'корневой элемент — <{name}>, а не <svg>',
  'a reference to something outside': 'ссылка на что-то вне файла',
  'width and height must be 1 to {side} pixels': 'ширина и высота — от 1 до {side} пикселей',

  // SQL: the text
  'syntax error at or near "{word}"': 'синтаксическая ошибка возле «{word}»',
  'syntax error at end of input': 'синтаксическая ошибка: запрос не закончен',
  'unterminated quoted string at or near "{word}"': 'текст не закрыт кавычкой: {word}',
  'unterminated quoted identifier at or near "{word}"': 'имя не закрыто кавычкой: {word}',
  'unterminated /* comment at or near "{word}"': 'комментарий не закрыт: {word}',
  'it is empty': 'он пуст',
  'it must be one SELECT': 'нужен один SELECT',
  'it must be one SELECT and no more': 'нужен один SELECT и ничего больше',
  'it must only read': 'запрос может только читать',
  'it is nested too deep': 'слишком глубокая вложенность',
  '{what} is not allowed': '{what}: так нельзя',
  'functions in FROM are not allowed': 'функции во FROM: так нельзя',
  'FOR UPDATE and FOR SHARE are not allowed': 'FOR UPDATE и FOR SHARE: так нельзя',
  'the function {name} is not allowed': 'функция {name} не разрешена',
  'the operator {name} is not allowed': 'оператор {name} не разрешён',
  'the type {name} is not allowed': 'тип {name} не разрешён',

  // SQL: layers and columns
  "there is no layer '{name}': layers are written map_code.layer_code":
    'слоя «{name}» нет: слои пишутся карта.слой',
  'there is no layer {name} that you may view; codes with capitals or hyphens are written in double quotes':
    'слоя {name} нет, или вам нельзя его видеть; коды с заглавными буквами или дефисом пишут в двойных кавычках',
  'the layer {name} is of type {type}, which has no objects':
    'слой {name} имеет тип {type}: в нём нет объектов',
  'the layer would read itself': 'слой читал бы сам себя',
  "there is no column '{name}'": 'столбца «{name}» нет',
  'column "{name}" does not exist': 'столбца «{name}» нет',
  'column {name} does not exist': 'столбца {name} нет',
  'column reference "{name}" is ambiguous': 'столбец «{name}» есть в нескольких слоях: напишите слой.столбец',
  'column "{name}" specified more than once': 'столбец «{name}» указан несколько раз',
  'column "{name}" must appear in the GROUP BY clause or be used in an aggregate function':
    'столбец «{name}» должен стоять в GROUP BY или внутри агрегатной функции',
  'missing FROM-clause entry for table "{name}"': 'во FROM нет «{name}»',
  'invalid reference to FROM-clause entry for table "{name}"': 'к «{name}» здесь обратиться нельзя',
  'table name "{name}" specified more than once': 'имя «{name}» во FROM указано несколько раз',
  'function {name} does not exist': 'функции {name} нет',
  'operator does not exist: {name}': 'оператора нет: {name}',
  'aggregate functions are not allowed in {clause}': 'агрегатные функции в {clause} недопустимы',
  'argument of {clause} must be type boolean, not type {type}':
    '{clause}: нужно условие (тип boolean), а не тип {type}',
  'aggregate function calls cannot be nested': 'агрегатные функции нельзя вкладывать одну в другую',
  '{clause} position {#n} is not in select list': '{clause}: столбца номер {n} в SELECT нет',
  'for SELECT DISTINCT, ORDER BY expressions must appear in select list':
    'при SELECT DISTINCT то, что стоит в ORDER BY, должно быть и в SELECT',
  'cannot cast type {from} to {to}': 'тип {from} нельзя привести к {to}',
  'subquery must return only one column': 'подзапрос должен давать один столбец',
  'each {union} query must have the same number of columns':
    'в {union} у всех запросов должно быть одинаковое число столбцов',
  '{clause} types {left} and {right} cannot be matched': '{clause}: типы {left} и {right} не согласуются',

  // SQL: the result
  'it gives no column svc_id, the id of each object': 'в результате нет столбца svc_id с номером объекта',
  'svc_id must be a whole number: cast it, as in svc_id::bigint':
    'svc_id должен быть целым числом: приведите его, например svc_id::bigint',
  'svc_id is null in one of its rows': 'в одной из строк svc_id пуст',
  'svc_id is the same in several rows': 'в нескольких строках svc_id одинаков',
  'geom must be a geometry in EPSG:4326': 'geom должен быть геометрией в EPSG:4326',
  'geom is not in EPSG:4326 everywhere: use st_transform(geom, 4326) or st_setsrid(geom, 4326)':
    'geom не везде в EPSG:4326: нужен st_transform(geom, 4326) или st_setsrid(geom, 4326)',
  'a column has no name: give it one with AS': 'у столбца нет имени: дайте его через AS',
  "the column '{name}' is a geometry; a layer has one, called geom":
    'столбец «{name}» — геометрия; в слое она одна и называется geom',
  "the column '{name}' is of the type {type}, which layers do not have: cast it":
    'столбец «{name}» имеет тип {type}, которого в слоях нет: приведите его к другому',
  "the column '{name}': {?reason}": 'столбец «{name}»: {reason}',
  'A column code has 1 to {#most} Latin letters, digits and underscores, and does not start with a digit':
    'код столбца состоит из латинских букв, цифр и подчёркиваний (не больше {most}) и не начинается с цифры',
  'it divides by zero': 'деление на ноль',
  'a text cannot be converted to the type of its cast': 'текст нельзя привести к указанному типу',
  'a text is no date': 'текст — не дата',
  'a date is out of range': 'дата вне допустимых пределов',
  'a number is out of range': 'число вне допустимых пределов',
  'a subquery that stands for one value gives several': 'подзапрос вместо одного значения даёт несколько',
  'it gives more than {#rows} rows': 'в результате больше {rows} строк',
  'the layer may have {#most} columns at most, with svc_id and geom':
    'наибольшее число столбцов слоя: {most}, вместе с svc_id и geom',
  'it fails on the data': 'запрос не выполняется на этих данных',
  'it took too long, or too much memory, and was stopped':
    'запрос шёл слишком долго или занял слишком много памяти и остановлен',
  'the texts, arrays or JSON that it compares are too long':
    'тексты, массивы или JSON, которые он сравнивает, слишком длинны',
  'it compares shapes that cross too often, or that have too many positions for one of its functions':
    'он сравнивает фигуры, которые слишком часто пересекаются или имеют слишком много точек для одной из функций',
  'the database refuses it': 'база данных его отвергла',
};
