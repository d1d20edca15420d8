import type { Caller } from '../access/caller.js';
import { changeColumn } from '../layers/columns/columns.js';
import type { Layer } from '../layers/layers.js';
import type { Services } from '../services.js';

interface Shown {
  name: { en: string; ru: string };
  format?: Record<string, unknown>;
}

/** Whole numbers with a thousands separator; narrow no-break spaces suit both languages. */
const count = { decimals: 0, thousands: '\u202f' };
/** Without a separator of thousands. */
const identifier = { decimals: 0 };
const yesOrNo = { true: '✓', false: '–' };

/** Titles and formats of the demo's columns, by code, in the order of the feature sheet. */
const shown: Readonly<Record<string, Shown>> = {
  name: { name: { en: 'Name', ru: 'Название' } },
  country: { name: { en: 'Country', ru: 'Страна' } },
  population: { name: { en: 'Inhabitants', ru: 'Жители' }, format: count },
  capital: { name: { en: 'Capital', ru: 'Столица' }, format: yesOrNo },
  country_code: { name: { en: 'Country code (ISO 3166)', ru: 'Код страны (ISO 3166)' } },
  geonames_id: { name: { en: 'GeoNames number', ru: 'Номер GeoNames' }, format: identifier },
  iso_a2: { name: { en: 'Code of two letters (ISO 3166)', ru: 'Код из двух букв (ISO 3166)' } },
  iso_a3: { name: { en: 'Code of three letters (ISO 3166)', ru: 'Код из трёх букв (ISO 3166)' } },
  area_km2: { name: { en: 'Area', ru: 'Площадь' }, format: { ...count, suffix: ' km²' } },
  color: { name: { en: 'Colour on the map (1 to 6)', ru: 'Цвет на карте (от 1 до 6)' } },
  people: { name: { en: 'People in cities', ru: 'Жители городов' }, format: count },
  density: {
    name: { en: 'People in cities per km²', ru: 'Жителей городов на км²' },
    format: { thousands: '\u202f' },
  },
  towns: { name: { en: 'In cities below 100,000', ru: 'В городах до 100 000' }, format: count },
  cities: { name: { en: 'In cities to 1 million', ru: 'В городах до 1 миллиона' }, format: count },
  large_cities: {
    name: { en: 'In cities above 1 million', ru: 'В городах свыше 1 миллиона' },
    format: count,
  },
  kind: { name: { en: 'Kind', ru: 'Вид' } },
};

/** Sets titles in both languages and formats for the columns of a filled layer. */
export async function nameColumns(
  { db }: Pick<Services, 'db'>,
  { caller, layer }: { caller: Caller; layer: Layer },
): Promise<void> {
  const [main = 'en'] = caller.project.languages;
  await db.transaction(async (tx) => {
    for (const { code, type } of layer.columns) {
      const { name, format } = shown[code] ?? {};
      if (!name) continue;
      const input = { type, localized_name: true, name: { ...name }, ...(format ? { format } : {}) };
      await changeColumn(tx, { layer, field: code, language: main, main }, input);
    }
  });
}
