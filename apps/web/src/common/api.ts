import { ServiceCalls } from '@cartulary/client';
import { base } from './base.js';

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** Called with true before the request is repeated because the service is busy, with false after it succeeds or fails. */
  onBusy?: ((busy: boolean) => void) | undefined;
  /** Called with the response before its body is read. */
  onResponse?: ((response: Response) => void) | undefined;
  /** The body of a function that reads by POST. */
  json?: unknown;
}

type RefusalListener = () => void;
const refusalListeners = new Set<RefusalListener>();

/** Calls a listener whenever the service refuses a request (401, 403). Returns a function that removes it. */
export function onRefusal(listener: RefusalListener): () => void {
  refusalListeners.add(listener);
  return () => refusalListeners.delete(listener);
}

/** The service that has sent this page. */
export const service = new ServiceCalls({
  url: base,
  onRefusal: () => {
    for (const listener of refusalListeners) listener();
  },
});

/** The answer at an address of the service. Throws `ClientError`. */
export const call = <T>(url: string, options: RequestOptions = {}): Promise<T> =>
  service.read<T>(url, options.json === undefined ? options : { ...options, method: 'POST', isRead: true });
