/**
 * Names of Natural Earth's areas that have no ISO code, or whose CLDR name differs from the usual name on
 * maps.
 */
export const curatedNames: Readonly<Record<string, { en: string; ru: string; iso_a2?: string }>> = {
  Dhekelia: { en: 'Dhekelia', ru: 'Декелия' },
  Somaliland: { en: 'Somaliland', ru: 'Сомалиленд' },
  Kosovo: { en: 'Kosovo', ru: 'Косово', iso_a2: 'XK' },
  'USNB Guantanamo Bay': { en: 'Guantanamo Bay', ru: 'Гуантанамо' },
  'N. Cyprus': { en: 'Northern Cyprus', ru: 'Северный Кипр' },
  'Cyprus U.N. Buffer Zone': { en: 'Cyprus U.N. Buffer Zone', ru: 'Буферная зона ООН' },
  'Siachen Glacier': { en: 'Siachen Glacier', ru: 'Ледник Сиачен' },
  Baikonur: { en: 'Baikonur', ru: 'Байконур' },
  Akrotiri: { en: 'Akrotiri', ru: 'Акротири' },
  'Indian Ocean Ter.': { en: 'Indian Ocean Territories', ru: 'Территории в Индийском океане' },
  'Coral Sea Is.': { en: 'Coral Sea Islands', ru: 'Острова Кораллового моря' },
  'Spratly Is.': { en: 'Spratly Islands', ru: 'Спратли' },
  'Clipperton I.': { en: 'Clipperton', ru: 'Клиппертон' },
  'Bajo Nuevo Bank': { en: 'Bajo Nuevo Bank', ru: 'Бахо-Нуэво' },
  'Serranilla Bank': { en: 'Serranilla Bank', ru: 'Серранилья' },
  'Scarborough Reef': { en: 'Scarborough Reef', ru: 'Скарборо' },
  'Ashmore and Cartier Is.': { en: 'Ashmore and Cartier Islands', ru: 'Острова Ашмор и Картье' },
  'United States of America': { en: 'United States', ru: 'США', iso_a2: 'US' },
  'South Africa': { en: 'South Africa', ru: 'ЮАР', iso_a2: 'ZA' },
  'South Korea': { en: 'South Korea', ru: 'Южная Корея', iso_a2: 'KR' },
  'North Korea': { en: 'North Korea', ru: 'Северная Корея', iso_a2: 'KP' },
  'Central African Rep.': { en: 'Central African Republic', ru: 'ЦАР', iso_a2: 'CF' },
  'Dem. Rep. Congo': { en: 'DR Congo', ru: 'ДР Конго', iso_a2: 'CD' },
  Congo: { en: 'Congo', ru: 'Конго', iso_a2: 'CG' },
  'Hong Kong': { en: 'Hong Kong', ru: 'Гонконг', iso_a2: 'HK' },
  Macao: { en: 'Macao', ru: 'Макао', iso_a2: 'MO' },
  Myanmar: { en: 'Myanmar', ru: 'Мьянма', iso_a2: 'MM' },
  Palestine: { en: 'Palestine', ru: 'Палестина', iso_a2: 'PS' },
};

/** Names of a country in both languages, with its code. */
export interface CountryName {
  en: string;
  ru: string;
  code: string | null;
}

/** Returns a function that names an area: by the table above, by its code, or by the name that it has. */
export function namer(): (area: { name: string; alpha2: string | undefined }) => CountryName {
  const en = new Intl.DisplayNames(['en'], { type: 'region' });
  const ru = new Intl.DisplayNames(['ru'], { type: 'region' });
  const byCode = new Map(
    Object.values(curatedNames).flatMap((names) => (names.iso_a2 ? [[names.iso_a2, names] as const] : [])),
  );
  return ({ name, alpha2 }) => {
    // An area with its own row is not the country of its code: a reef is not Australia.
    const own = curatedNames[name];
    const curated = own ?? (alpha2 ? byCode.get(alpha2) : undefined);
    return {
      en: curated?.en ?? (alpha2 && en.of(alpha2)) ?? name,
      ru: curated?.ru ?? (alpha2 && ru.of(alpha2)) ?? name,
      code: own ? (own.iso_a2 ?? null) : (alpha2 ?? null),
    };
  };
}
