import type { ExternalTexts } from './texts.en.js';

export const ru: ExternalTexts = {
  add: 'Изображения другого сервера',
  newExternal: 'Изображения другого сервера',
  title: 'Название',
  source: 'Откуда берутся изображения',
  type: 'Вид сервера',
  types: { xyz: 'Тайлы, ряды с севера (XYZ)', tms: 'Тайлы, ряды с юга (TMS)', wms: 'WMS' },
  url: 'Адрес',
  urlHints: {
    xyz: 'С {z}, {x} и {y}, например https://tiles.example.org/{z}/{x}/{y}.png',
    tms: 'С {z}, {x} и {y}, например https://tiles.example.org/{z}/{x}/{y}.png',
    wms: 'Адрес сервера, например https://maps.example.org/wms',
  },
  layers: 'Слои сервера',
  layersHint: 'Их имена через запятую',
  maxZoom: 'Самый крупный масштаб сервера',
  attribution: 'Указание авторства',
  fetch: 'Сервис рисует их среди других слоёв',
  fetchHint:
    'Иначе их показывают только другие программы. Сервис загружает данные с узлов из настройки CARTULARY_EXTERNAL_HOSTS.',
  make: 'Добавить',
  save: 'Сохранить',
  cancel: 'Отменить',
  saved: (name) => `Сохранено: ${name}`,
};
