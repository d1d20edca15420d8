export {
  badRequest,
  type ErrorCode,
  type ErrorData,
  errorCatalogue,
  requiredMissing,
  ServiceError,
} from './errors.js';
