/** The service's base address without a trailing slash. The server writes the relative path to it into `data-base`. */
export const base: string = new URL(document.documentElement.dataset.base || '.', location.href).href.replace(
  /\/$/,
  '',
);

/** An address below the base: path parts are encoded, undefined query values are left out. */
export function address(
  parts: readonly string[],
  query: Record<string, string | number | undefined> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const path = parts.map(encodeURIComponent).join('/');
  return `${base}/${path}/${search.size ? `?${search}` : ''}`;
}

/** The nonce that the content security policy requires of style elements. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
