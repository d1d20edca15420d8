/** A request in parts, each of which can be changed. */
export interface Draft {
  operation: Operation;
  operationId: string;
  method: string;
  /** Template with `{name}` for each of `values`. */
  path: string;
  values: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Objects and lists are sent as JSON. */
  body?: unknown;
  withToken: boolean;
  isCutOff?: boolean;
}

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  /** Media types by status. */
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** Whether a template names the project alone: a run never deletes it, since nothing else would be answered then. */
export const isProjectPath = (path: string): boolean => /^\/api\/[\d.]+\/\{project\}\/?$/.test(path);

export interface Schema {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
}
