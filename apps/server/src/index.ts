export { parseConfig } from './config.js';
export { baseMapParts } from './demo/base-map.js';
export { escapeHtml } from './http/error-page.js';
export { fullVectorSettings } from './layers/styles/vector-settings.js';
export { startServer } from './process/server.js';
export { installationStorage } from './storage/disk.js';
export { layerTileSql } from './tiles/vector/features.js';
