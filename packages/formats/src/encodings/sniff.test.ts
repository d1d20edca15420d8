import assert from 'node:assert/strict';
import test from 'node:test';
import iconv from 'iconv-lite';
import { encodingNamed, isAscii } from './encodings.js';
import { type Guess, sniffEncoding } from './sniff.js';

/** Languages, the code pages that files in them use, and names of places. */
const corpus: readonly (readonly [language: string, encodings: string, names: string])[] = [
  [
    'Swedish',
    'windows-1252 iso-8859-1 cp850 cp437',
    'Göteborg|Malmö|Västerås|Örebro|Linköping|Jönköping|Norrköping|Umeå|Gävle|Borås|Södertälje|Växjö|Luleå|Östersund|Åre|Ängelholm',
  ],
  [
    'German',
    'windows-1252 iso-8859-1 cp850 cp437',
    'München|Köln|Düsseldorf|Nürnberg|Lübeck|Saarbrücken|Münster|Göttingen|Würzburg|Tübingen|Gießen|Görlitz|Fürth|Mönchengladbach|Österreich|Zürich',
  ],
  [
    'French',
    'windows-1252 iso-8859-1 cp850',
    'Orléans|Besançon|Nîmes|Saint-Étienne|Béziers|Évreux|Mâcon|Angoulême|Périgueux|Châteauroux|Alençon|Vénissieux|Montélimar|Bourg-lès-Valence|La Rochelle-sur-Mer|Île-de-France',
  ],
  [
    'Spanish',
    'windows-1252 iso-8859-1 cp850',
    'Málaga|Córdoba|Cádiz|Jaén|Almería|León|Ávila|Logroño|Cáceres|Alcalá de Henares|La Coruña|Gijón|Mérida|San Sebastián|Güímar|Mazarrón',
  ],
  [
    'Portuguese',
    'windows-1252 iso-8859-1 cp850',
    'São Paulo|Brasília|Goiânia|Maceió|Niterói|Florianópolis|Évora|Guimarães|Setúbal|Bragança|Santarém|Conceição|Macapá|Jundiaí|Ribeirão Preto|Vitória da Conquista',
  ],
  [
    'Norwegian',
    'windows-1252 iso-8859-1 cp850',
    'Tromsø|Bodø|Ålesund|Tønsberg|Drøbak|Lillestrøm|Hønefoss|Bærum|Askøy|Øygarden|Sørum|Gjøvik|Røros|Førde|Sandefjord|Nesøya',
  ],
  [
    'Danish',
    'windows-1252 iso-8859-1 cp850',
    'Ålborg|Århus|København|Helsingør|Næstved|Hillerød|Sønderborg|Køge|Ærøskøbing|Rødovre|Nykøbing Falster|Tårnby|Sæby|Hørsholm|Græsted|Thyborøn',
  ],
  [
    'Finnish',
    'windows-1252 iso-8859-1 cp850',
    'Jyväskylä|Hämeenlinna|Järvenpää|Äänekoski|Seinäjoki|Mänttä|Ylöjärvi|Hyvinkää|Riihimäki|Kemijärvi|Nykarleby|Sodankylä|Ähtäri|Pieksämäki|Mäntsälä|Lieksa',
  ],
  [
    'Icelandic',
    'windows-1252 iso-8859-1',
    'Reykjavík|Kópavogur|Hafnarfjörður|Ísafjörður|Akureyri|Egilsstaðir|Sauðárkrókur|Vestmannaeyjar|Húsavík|Þorlákshöfn|Höfn í Hornafirði|Blönduós|Grindavík|Stykkishólmur|Garðabær|Ólafsvík',
  ],
  [
    'Polish',
    'windows-1250 iso-8859-2 cp852',
    'Łódź|Kraków|Wrocław|Poznań|Gdańsk|Częstochowa|Toruń|Białystok|Rzeszów|Bielsko-Biała|Zamość|Świnoujście|Wałbrzych|Dąbrowa Górnicza|Żywiec|Słupsk',
  ],
  [
    'Czech',
    'windows-1250 iso-8859-2 cp852',
    'Plzeň|České Budějovice|Ústí nad Labem|Hradec Králové|Liberec|Olomouc|Zlín|Kladno|Třebíč|Jindřichův Hradec|Český Krumlov|Děčín|Příbram|Žďár nad Sázavou|Šumperk|Přerov',
  ],
  [
    'Slovak',
    'windows-1250 iso-8859-2 cp852',
    'Košice|Žilina|Banská Bystrica|Prešov|Trenčín|Považská Bystrica|Liptovský Mikuláš|Spišská Nová Ves|Dunajská Streda|Nové Zámky|Levoča|Kežmarok|Piešťany|Ružomberok|Čadca|Topoľčany',
  ],
  [
    'Hungarian',
    'windows-1250 iso-8859-2 cp852',
    'Győr|Székesfehérvár|Pécs|Kecskemét|Nyíregyháza|Szombathely|Hódmezővásárhely|Érd|Dunaújváros|Gödöllő|Mezőkövesd|Sárvár|Kiskunfélegyháza|Zalaegerszeg|Tatabánya|Kőszeg',
  ],
  [
    'Romanian',
    'windows-1250 iso-8859-2 cp852',
    'Bucureşti|Iaşi|Timişoara|Constanţa|Braşov|Galaţi|Ploieşti|Brăila|Bacău|Piteşti|Târgu Mureş|Bistriţa|Reşiţa|Călăraşi|Suceava|Râmnicu Vâlcea',
  ],
  [
    'Croatian',
    'windows-1250 iso-8859-2 cp852',
    'Šibenik|Čakovec|Varaždin|Požega|Karlovac|Đakovo|Križevci|Poreč|Bjelovar|Koprivnica|Županja|Makarska|Đurđevac|Petrinja|Čapljina|Metković',
  ],
  [
    'Slovene',
    'windows-1250 iso-8859-2 cp852',
    'Škofja Loka|Novo Mesto|Črnomelj|Tržič|Žalec|Krško|Sežana|Brežice|Kočevje|Šentjur|Ajdovščina|Laško|Trebnje|Domžale|Ormož|Radeče',
  ],
  [
    'Turkish',
    'windows-1254 iso-8859-9 cp857',
    'İstanbul|Eskişehir|Diyarbakır|Şanlıurfa|Muğla|Kütahya|Çanakkale|Balıkesir|Kırşehir|Iğdır|Ağrı|Gümüşhane|Nevşehir|Çorum|Tekirdağ|Uşak',
  ],
  [
    'Lithuanian',
    'windows-1257 iso-8859-13',
    'Šiauliai|Panevėžys|Klaipėda|Mažeikiai|Jonava|Utena|Kėdainiai|Telšiai|Tauragė|Ukmergė|Visaginas|Plungė|Kretinga|Šilutė|Radviliškis|Biržai',
  ],
  [
    'Latvian',
    'windows-1257 iso-8859-13',
    'Rīga|Liepāja|Jelgava|Jūrmala|Rēzekne|Jēkabpils|Cēsis|Sigulda|Kuldīga|Līvāni|Madona|Talsi|Dobele|Krāslava|Alūksne|Gulbene',
  ],
  [
    'Estonian',
    'windows-1257 iso-8859-13 windows-1252',
    'Pärnu|Jõhvi|Kohtla-Järve|Võru|Põlva|Jõgeva|Kärdla|Türi|Põltsamaa|Räpina|Sillamäe|Kuressaare|Mõisaküla|Kilingi-Nõmme|Käina|Väike-Maarja',
  ],
  [
    'Russian',
    'windows-1251 cp866 koi8-r iso-8859-5',
    'Москва|Нижний Новгород|Екатеринбург|Щёлково|Йошкар-Ола|Ростов-на-Дону|Ульяновск|Хабаровск|Благовещенск|Эжва|Сыктывкар|Юрьев-Польский|Каменск-Шахтинский|Великие Луки|Ханты-Мансийск|Грозный',
  ],
  [
    'Ukrainian',
    'windows-1251 koi8-u',
    'Київ|Харків|Дніпро|Запоріжжя|Миколаїв|Вінниця|Чернігів|Житомир|Кропивницький|Чернівці|Івано-Франківськ|Тернопіль|Ужгород|Луцьк|Єнакієве|Бровари',
  ],
  [
    'Bulgarian',
    'windows-1251 iso-8859-5',
    'София|Пловдив|Варна|Бургас|Русе|Стара Загора|Плевен|Сливен|Добрич|Шумен|Перник|Хасково|Ямбол|Пазарджик|Благоевград|Велико Търново',
  ],
  [
    'Serbian',
    'windows-1251 iso-8859-5',
    'Београд|Нови Сад|Ниш|Крагујевац|Суботица|Зрењанин|Панчево|Чачак|Краљево|Смедерево|Лесковац|Ваљево|Крушевац|Врање|Шабац|Ужице',
  ],
  [
    'Greek',
    'windows-1253 iso-8859-7 cp737',
    'Αθήνα|Θεσσαλονίκη|Πάτρα|Ηράκλειο|Λάρισα|Βόλος|Ιωάννινα|Τρίκαλα|Χαλκίδα|Σέρρες|Ξάνθη|Κατερίνη|Καλαμάτα|Καβάλα|Χανιά|Λαμία',
  ],
  [
    'Hebrew',
    'windows-1255 iso-8859-8 cp862',
    'ירושלים|תל אביב|חיפה|באר שבע|נתניה|אשדוד|ראשון לציון|פתח תקווה|חולון|רמת גן|אשקלון|בת ים|הרצליה|כפר סבא|רעננה|נצרת',
  ],
  [
    'Arabic',
    'windows-1256 iso-8859-6',
    'القاهرة|الإسكندرية|بغداد|دمشق|الرياض|جدة|مكة المكرمة|الدار البيضاء|تونس|الجزائر|طرابلس|الخرطوم|عمان|بيروت|حلب|أبو ظبي',
  ],
  ['Chinese', 'gbk', '北京|上海|广州|深圳|成都|杭州|重庆|西安|武汉|南京|天津|苏州|青岛|长沙|大连|哈尔滨'],
  [
    'Traditional Chinese',
    'big5',
    '臺北|高雄|臺中|臺南|新竹|基隆|嘉義|花蓮|屏東|桃園|彰化|雲林|宜蘭|苗栗|澎湖|金門',
  ],
  [
    'Japanese',
    'shift_jis euc-jp',
    '東京|大阪|横浜|名古屋|札幌|神戸|京都|福岡|さいたま|広島|仙台|北九州|つくば|新潟|ニセコ|鹿児島',
  ],
  ['Korean', 'euc-kr', '서울|부산|인천|대구|대전|광주|울산|수원|창원|성남|고양|용인|청주|전주|천안|제주'],
];

const bytesOf = (text: string, encoding: string): string => iconv.encode(text, encoding).toString('latin1');
const textOf = (bytes: string, encoding: string): string =>
  iconv.decode(Buffer.from(bytes, 'latin1'), encoding);

/** Guesses the encoding of texts, and tells whether decoding restores them. */
function tried(
  texts: readonly string[],
  encoding: string,
  hint?: string,
): Guess & { isRight: boolean; shown: string[] } {
  const beyond = texts.filter((text) => !isAscii(Buffer.from(text).toString('latin1')));
  const bytes = beyond.map((text) => bytesOf(text, encoding));
  const guess = sniffEncoding(bytes, hint);
  const shown = bytes.map((own) => textOf(own, guess.encoding));
  return { ...guess, shown, isRight: shown.join() === beyond.join() };
}

for (const [language, encodings, list] of corpus) {
  const names = list.split('|');
  for (const encoding of ['utf-8', ...encodings.split(' ')]) {
    test(`${language} in ${encoding}`, () => {
      const { isRight, shown, certainty } = tried(names, encoding);
      assert.ok(isRight, shown.join());
      assert.notEqual(certainty, 'uncertain');
    });
  }
}

test('a few names almost always suffice, and a wrong guess is not reported as certain', () => {
  let [right, all] = [0, 0];
  const wrong: string[] = [];
  for (const [language, encodings, list] of corpus) {
    const names = list.split('|');
    for (const encoding of encodings.split(' ')) {
      for (let i = 0; i < names.length; i += 4) {
        all++;
        const { isRight, shown, certainty } = tried(names.slice(i, i + 4), encoding);
        if (isRight) right++;
        else {
          wrong.push(`${language} in ${encoding}: ${shown}`);
          assert.notEqual(certainty, 'certain', wrong.at(-1));
        }
      }
    }
  }
  assert.ok(right / all > 0.97, wrong.join('\n'));
});

test('few letters beyond ASCII suffice', () => {
  for (const [encoding, ...texts] of [
    ['windows-1252', 'Åland'],
    ['windows-1252', 'éà toto'],
    ['windows-1252', 'é à toto'],
    ['windows-1252', 'Macapá'],
    ['windows-1252', 'ÅLAND', 'ÖREBRO'],
    ['windows-1252', 'Åland Islands', "Côte d'Ivoire", 'São Tomé and Príncipe', 'Curaçao', 'Réunion'],
    ['windows-1252', 'Rue de l’Église', 'Café “Bleu” – 5€'],
    ['windows-1252', '15 m²'],
    ['windows-1252', '23°C'],
    ['windows-1251', 'Дом 5', 'Toto Cafe'],
    ['windows-1251', 'Парк №5 «Заря»'],
    ['windows-1251', 'тип', 'ЖД', 'АЗС'],
    ['windows-1251', 'да', 'нет'],
    ['cp866', 'МОСКВА', 'ТВЕРЬ'],
    ['utf-8', 'Zürich'],
  ] as const) {
    const { isRight, shown } = tried(texts, encoding);
    assert.ok(isRight, `${encoding}: ${shown}`);
  }
});

test('the declared encoding counts, but clear texts count more', () => {
  assert.equal(tried(['Zürich', 'Москва'], 'utf-8', 'windows-1252').encoding, 'utf-8');
  const cyrillic = tried(['Москва', 'Тверь'], 'windows-1251', 'windows-1252');
  assert.deepEqual([cyrillic.encoding, cyrillic.against], ['windows-1251', 'windows-1252']);
  const said = tried(['Эжва'], 'cp866', 'cp866');
  assert.deepEqual([said.isRight, said.encoding, said.against], [true, 'cp866', undefined]);
  const names = ['Zürich', 'Genève', 'Neuchâtel', 'Delémont', 'Bülach'];
  assert.equal(tried(names, 'windows-1252', 'windows-1251').isRight, true);
  assert.equal(tried(['Århus'], 'cp865', 'cp865').encoding, 'cp865');
  assert.equal(tried(['Rue de l’Église'], 'windows-1252', 'iso-8859-1').isRight, true);
  // Letters that are no word decide nothing; a word does.
  for (const hint of ['windows-1252', 'iso-8859-1']) assert.ok(tried(['äöü'], 'windows-1252', hint).isRight);
  for (const word of ['Да', 'км', 'Мир'])
    assert.ok(tried([word], 'windows-1251', 'windows-1252').isRight, word);
});

test('damaged texts among UTF-8 texts do not change the guess', () => {
  const bytes = Array.from({ length: 30 }, (_, i) => bytesOf(`Москва ${i}`, 'utf-8'));
  assert.equal(sniffEncoding([...bytes, 'M\xfcnchen']).encoding, 'utf-8');
  assert.equal(sniffEncoding([...bytes, bytes[0]!.slice(0, 5)]).encoding, 'utf-8');
});

test('encoding names of files are recognized', () => {
  for (const [name, encoding] of [
    ['1252', 'windows-1252'],
    ['ANSI 1251', 'windows-1251'],
    ['ANSI_1251', 'windows-1251'],
    ['Windows-1250\r\n', 'windows-1250'],
    ['88591', 'iso-8859-1'],
    ['ISO 88591', 'iso-8859-1'],
    ['ISO-8859-1', 'iso-8859-1'],
    ['ISO 8859_5', 'iso-8859-5'],
    ['88592', 'iso-8859-2'],
    ['LATIN1', 'iso-8859-1'],
    ['UTF8', 'utf-8'],
    ['utf_8', 'utf-8'],
    ['\u00ef\u00bb\u00bfUTF-8', 'utf-8'],
    ['OEM 866', 'cp866'],
    ['936', 'gbk'],
    ['WindowsCyrillic', 'windows-1251'],
    ['OEM', undefined],
    ['ANSI', undefined],
    ['system', undefined],
    ['', undefined],
  ] as const)
    assert.equal(encodingNamed(name), encoding, name);
});
