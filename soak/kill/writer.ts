import type { Random } from '../random.js';
import type { Service } from '../service.js';

/** One kind of writes, to containers of its own. States are JSON values and compared as such. */
export interface Writer {
  name: string;
  /** Creates the containers. Returns the initial state. */
  prepare(service: Service): Promise<unknown>;
  /** Reads the state from the service. */
  read(service: Service): Promise<unknown>;
  /** Plans the next write for a state. */
  plan(state: any, random: Random): Write;
}

export interface Write {
  /** The state after the write, also if only its acknowledgement is lost. */
  after: unknown;
  /** Resolves when the service acknowledges the write. Throws any other response. */
  send(service: Service): Promise<unknown>;
}

/** The writes of one writer. */
export interface Journal {
  writer: Writer;
  /** The last acknowledged state. */
  state: unknown;
  /** The state after the write that is sent and not acknowledged. */
  pending: { after: unknown } | undefined;
  acknowledged: number;
  /** Refusals with their counts; none is expected. */
  refused: Map<string, number>;
}

/** A state as text with sorted keys; equal states have equal texts. */
export const textOf = (state: unknown): string =>
  JSON.stringify(state, (_, value) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** Writes until `isOver` or until a write is not acknowledged. */
export async function write(
  journal: Journal,
  service: Service,
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const { after, send } = journal.writer.plan(journal.state, random);
    journal.pending = { after };
    try {
      await send(service);
      journal.state = after;
      journal.pending = undefined;
      journal.acknowledged += 1;
    } catch (error) {
      if (isOver() || service.hasEnded()) return;
      // The service may have stored the write, so that its state is read again.
      const { message } = error as Error;
      const known = message.replace(/\d+/g, 'N').slice(0, 200);
      journal.refused.set(known, (journal.refused.get(known) ?? 0) + 1);
      journal.state = await journal.writer.read(service).catch(() => journal.state);
      return;
    }
  }
}

/** Compares the service's state with the journal and continues the journal from it. Returns a difference. */
export async function verify(
  journal: Journal,
  service: Service,
): Promise<{ kind: 'lost' | 'half'; text: string } | undefined> {
  const { writer, state, pending } = journal;
  const found = await writer.read(service);
  journal.state = found;
  journal.pending = undefined;
  const has = textOf(found);
  if (has === textOf(state) || (pending && has === textOf(pending.after))) return undefined;
  const short = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
  const text = `${writer.name}: acknowledged ${short(textOf(state))}, ${pending ? `sent ${short(textOf(pending.after))}, ` : ''}found ${short(has)}`;
  return { kind: pending ? 'half' : 'lost', text };
}
