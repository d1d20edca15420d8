export {
  type AddressParams,
  type AnswerOf,
  type CallOptions,
  type Method,
  ServiceCalls,
  type ServiceOptions,
} from './calls.js';
export { CartularyClient, type ObjectFilePlace } from './client.js';
export { type AnyClientError, ClientError, type ClientErrorCode, isClientError } from './errors.js';
export type { ErrorStatuses } from './generated/catalogue.js';
export type { components, operations, paths } from './generated/schema.js';
export { ClientJob } from './jobs.js';
export type { ListOptions } from './objects.js';
export {
  type BrowserSession,
  type BrowserSessions,
  browserSessions,
  closeBrowserSession,
  openBrowserSession,
} from './sessions.js';
export type {
  ColumnDetails,
  ExportSettings,
  FileDetails,
  ImportSettings,
  JobDetails,
  LayerDetails,
  LayerOfMap,
  MapDetails,
  ObjectDetails,
  ObjectSelection,
} from './types.js';
export type { UploadOptions, UploadSource } from './uploads.js';
