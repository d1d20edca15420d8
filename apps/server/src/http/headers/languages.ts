/** Negotiation of the language of a page (RFC 9110, section 12.5.4). Pure. */
import type { FastifyRequest } from 'fastify';

/** The languages of a header `Accept-Language`, best first. */
export function acceptedLanguages(header: string | undefined): string[] {
  const all = (header ?? '').split(',').map((part) => {
    const [code = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => /^q=/i.test(text))?.slice(2);
    return { code, weight: weight === undefined ? 1 : Number(weight) };
  });
  return all
    .filter(({ code, weight }) => /^[a-z]/i.test(code) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ code }) => code);
}

/** The languages that the reader of a page wants, best first: `lng` of the address, then those of the browser. */
export function pageLanguages({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): string[] {
  const { lng } = (query ?? {}) as Record<string, unknown>;
  return [...(typeof lng === 'string' ? [lng] : []), ...acceptedLanguages(headers['accept-language'])];
}

const primary = (code: string): string => code.split('-')[0]!.toLowerCase();

/** The first available language that a reader wants: that code, or one of the same primary subtag (`pt` for `pt-BR`). */
export function matchLanguage(wanted: readonly string[], available: readonly string[]): string | undefined {
  for (const code of wanted) {
    const found =
      available.find((one) => one.toLowerCase() === code.toLowerCase()) ??
      available.find((one) => primary(one) === primary(code));
    if (found !== undefined) return found;
  }
  return undefined;
}
