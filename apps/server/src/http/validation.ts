import { Ajv, type ValidateFunction } from 'ajv';
import type { App } from './app-type.js';
import { isFormBody } from './body/body.js';
import { type ParametersSchema, textsFor } from './parameter-texts.js';

/**
 * Validates requests by the schemas of their routes. Values of queries, paths and forms are converted to their types ('5'
 * becomes 5); values of JSON bodies are not. Responses are not filtered.
 */
export function validateRequests(app: App): void {
  const options = { allErrors: false, useDefaults: false, removeAdditional: false, strict: false } as const;
  const ofText = new Ajv({ ...options, coerceTypes: true });
  const ofJson = new Ajv(options);
  app.setValidatorCompiler(({ schema, httpPart, url }) => {
    const checkText = compiledOnDemand(ofText, schema as object);
    if (httpPart === 'body')
      return eitherOf(prepared(checkText, schema), compiledOnDemand(ofJson, schema as object));
    // The standards behind these addresses define their own parameters.
    const isOfStandard = url?.startsWith('/ogc/') ?? false;
    return httpPart === 'querystring' && !isOfStandard ? prepared(checkText, schema) : checkText;
  });
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}

/** A validator that leaves each value to the one that `choose` gives for it. */
function delegating(choose: (value: unknown) => ValidateFunction): ValidateFunction {
  const check = (value: unknown): boolean => {
    const chosen = choose(value);
    const isRight = chosen(value) as boolean;
    check.errors = chosen.errors;
    return isRight;
  };
  check.errors = undefined as ValidateFunction['errors'];
  return check as ValidateFunction;
}

/** Validates the fields of a form by the first, other bodies by the second. */
const eitherOf = (form: ValidateFunction, json: ValidateFunction): ValidateFunction =>
  delegating((value) => (isFormBody(value) ? form : json));

/** Validates texts after their preparation (`textsFor`). */
function prepared(validate: ValidateFunction, schema: unknown): ValidateFunction {
  let prepare: ReturnType<typeof textsFor> | undefined;
  return delegating((value) => {
    prepare ??= textsFor(schema as ParametersSchema);
    if (typeof value === 'object' && value !== null) prepare(value as Record<string, unknown>);
    return validate;
  });
}

/** A validator that is compiled by its first request. Compiling all of them takes a third of the time of a start. */
function compiledOnDemand(ajv: Ajv, schema: object): ValidateFunction {
  let compiled: ValidateFunction | undefined;
  return delegating(() => {
    compiled ??= ajv.compile(schema);
    return compiled;
  });
}
