import type { Extension } from '@electric-sql/pglite';

/** What is used of PostgreSQL in WebAssembly, https://www.postgresql.org/docs/current/error-message-reporting.html. */
interface Exports {
  errstart(level: number, domain: number): number;
  errcode(sqlState: number): number;
  errmsg_internal(format: number, values: number): number;
  /** Goes back to where errors are caught, by an exception of JavaScript. */
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
/** `ERRCODE_INTERNAL_ERROR`, XX000, with which PostGIS tells of exceptions elsewhere: five characters of six bits. */
const internalError = stateOf('XX000');
const queryCanceled = stateOf('57014');

function stateOf(signs: string): number {
  return [...signs].reduce((sum, sign, i) => sum + ((sign.charCodeAt(0) - 48) << (6 * i)), 0);
}

/**
 * Makes C++ exceptions ordinary errors of a statement. The libraries in PostGIS (GEOS, PROJ) are built without any
 * `catch`: what they throw flies to the nearest place where PostgreSQL calls by way of JavaScript, which takes it for a
 * return, and goes on with half of its work undone. So a throw raises an error of PostgreSQL instead, from which it
 * recovers by itself. The memory that the libraries held is lost.
 */
export const exceptionsAsErrors: Extension = {
  name: 'exceptions-as-errors',
  setup: async (_pg, emscriptenOpts) => {
    const instantiate = emscriptenOpts.instantiateWasm as Instantiate;
    const instantiateOurs: Instantiate = (imports, done) => {
      let raise: Raise | undefined;
      imports.env.__cxa_throw = (exception: number, type: number) => raise!(exception, type);
      imports.env.__cxa_rethrow = () => raise!();
      return instantiate(imports, (instance, module) => {
        raise = raiser(instance.exports as Exports, imports.env);
        done(instance, module);
      });
    };
    return { emscriptenOpts: { ...emscriptenOpts, instantiateWasm: instantiateOurs } };
  },
};

type Raise = (exception?: number, type?: number) => never;

function raiser(postgres: Exports, { memory, __indirect_function_table: functions }: Environment): Raise {
  const numberAt = (at: number): number => new DataView(memory.buffer).getUint32(at, true);
  const textAt = (at: number): string => {
    const bytes = new Uint8Array(memory.buffer).subarray(at, at + longestText);
    const end = bytes.indexOf(0);
    return Buffer.from(bytes.subarray(0, end < 0 ? longestText : end)).toString();
  };
  const copyOf = (text: string): number => {
    const bytes = Buffer.from(`${text}\0`);
    const at = postgres.palloc(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, at);
    return at;
  };
  /** What a `std::exception` says of itself: the third of its virtual functions. The name of a type is its second field. */
  const says = (exception: number, type: number): string => {
    const isKnown = standard.test(textAt(numberAt(type + 4)));
    return isKnown ? textAt(functions.get(numberAt(numberAt(exception) + 8))(exception)) : 'unknown';
  };
  return (exception, type) => {
    const text = exception && type ? says(exception, type) : 'unknown';
    postgres.errstart(errorLevel, 0);
    postgres.errcode(text.startsWith('InterruptedException') ? queryCanceled : internalError);
    postgres.errmsg_internal(copyOf(`a library threw an exception: ${text.replaceAll('%', '%%')}`), 0);
    postgres.errfinish(0, 0, 0);
    throw new Error('an error of PostgreSQL did not end its function');
  };
}

const longestText = 500;
/** Types that are made of `std::exception`: those of GEOS, PROJ and the standard library. */
const standard = /^(N4geos|N5osgeo|N13geos_nlohmann|St\d|NSt)/;
