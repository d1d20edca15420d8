/** The service's base address without a slash at the end. The server writes the way up from the page into `data-base`. */
export const base: string = new URL(document.documentElement.dataset.base || '.', location.href).href.replace(
  /\/$/,
  '',
);

/** The address of a function below the base: parts are encoded, a query value that is undefined is left out. */
export function address(
  parts: readonly string[],
  query: Record<string, string | number | undefined> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const path = parts.map(encodeURIComponent).join('/');
  return `${base}/${path}/${search.size ? `?${search}` : ''}`;
}

/** The nonce under which the page's policy accepts style elements. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
