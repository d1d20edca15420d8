import type { Extension } from '@electric-sql/pglite';

/** Functions of PostgreSQL's WebAssembly module, https://www.postgresql.org/docs/current/error-message-reporting.html. */
interface Exports {
  errstart(level: number, domain: number): number;
  errcode(sqlState: number): number;
  errmsg_internal(format: number, values: number): number;
  /** Jumps to the error handler by a JavaScript exception. */
  errfinish(file: number, line: number, functionName: number): void;
  palloc(size: number): number;
}

interface Environment {
  memory: { buffer: ArrayBuffer };
  __indirect_function_table: { get(index: number): (self: number) => number };
  __cxa_throw?: unknown;
  __cxa_rethrow?: unknown;
}

type Instantiate = (
  imports: { env: Environment },
  done: (instance: { exports: unknown }, module: unknown) => void,
) => unknown;

const errorLevel = 21;
/** `ERRCODE_INTERNAL_ERROR`, which PostGIS uses for exceptions on other platforms. */
const internalError = stateOf('XX000');
const queryCanceled = stateOf('57014');

/** Number of an SQLSTATE: five characters of six bits. */
function stateOf(code: string): number {
  return [...code].reduce((sum, character, i) => sum + ((character.charCodeAt(0) - 48) << (6 * i)), 0);
}

/**
 * Turns C++ exceptions into ordinary errors of a statement. The libraries of PostGIS (GEOS, PROJ) are built without `catch`: their
 * exceptions propagate to the nearest call through JavaScript, which PostgreSQL takes for a return with half of the work undone.
 * Here a throw raises an error of PostgreSQL instead, from which it recovers. Memory that the libraries hold is lost.
 */
export const exceptionsAsErrors: Extension = {
  name: 'exceptions-as-errors',
  setup: async (_pg, emscriptenOpts) => {
    const instantiate = emscriptenOpts.instantiateWasm as Instantiate;
    const instantiateWithErrors: Instantiate = (imports, done) => {
      let raise: Raise | undefined;
      imports.env.__cxa_throw = (exception: number, type: number) => raise!(exception, type);
      imports.env.__cxa_rethrow = () => raise!();
      return instantiate(imports, (instance, module) => {
        raise = raiser(instance.exports as Exports, imports.env);
        done(instance, module);
      });
    };
    return { emscriptenOpts: { ...emscriptenOpts, instantiateWasm: instantiateWithErrors } };
  },
};

type Raise = (exception?: number, type?: number) => never;

function raiser(postgres: Exports, { memory, __indirect_function_table: functions }: Environment): Raise {
  const numberAt = (at: number): number => new DataView(memory.buffer).getUint32(at, true);
  const textAt = (at: number): string => {
    const bytes = new Uint8Array(memory.buffer).subarray(at, at + maxTextBytes);
    const end = bytes.indexOf(0);
    return Buffer.from(bytes.subarray(0, end < 0 ? maxTextBytes : end)).toString();
  };
  const copyOf = (text: string): number => {
    const bytes = Buffer.from(`${text}\0`);
    const at = postgres.palloc(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, at);
    return at;
  };
  /** Message of a `std::exception`: its third virtual function gives it. The second field of a type is its name. */
  const messageOf = (exception: number, type: number): string => {
    const isKnown = standardExceptions.test(textAt(numberAt(type + 4)));
    return isKnown ? textAt(functions.get(numberAt(numberAt(exception) + 8))(exception)) : 'unknown';
  };
  return (exception, type) => {
    const text = exception && type ? messageOf(exception, type) : 'unknown';
    postgres.errstart(errorLevel, 0);
    postgres.errcode(text.startsWith('InterruptedException') ? queryCanceled : internalError);
    postgres.errmsg_internal(copyOf(`a library threw an exception: ${text.replaceAll('%', '%%')}`), 0);
    postgres.errfinish(0, 0, 0);
    throw new Error('an error of PostgreSQL did not end its function');
  };
}

/** Longest message, bytes. */
const maxTextBytes = 500;
/** Types derived from `std::exception`: those of GEOS, PROJ and the standard library. */
const standardExceptions = /^(N4geos|N5osgeo|N13geos_nlohmann|St\d|NSt)/;
