/** Messages for kinds of nodes that are refused. */
export const kindMessages: Readonly<Record<string, string>> = {
  IntoClause: 'SELECT INTO is not allowed',
  LockingClause: 'FOR UPDATE and FOR SHARE are not allowed',
  RangeFunction: 'functions in FROM are not allowed',
  ParamRef: 'parameters ($1) are not allowed',
  A_Indirection: 'parts of values (x).y and x[1] are not allowed',
  CollateClause: 'COLLATE is not allowed',
  InsertStmt: 'it must only read',
  UpdateStmt: 'it must only read',
  DeleteStmt: 'it must only read',
  MergeStmt: 'it must only read',
};

/** Messages for fields of nodes that are refused. */
export const fieldMessages: Readonly<Record<string, string>> = {
  intoClause: kindMessages.IntoClause!,
  lockingClause: kindMessages.LockingClause!,
  recursive: 'WITH RECURSIVE is not allowed',
  func_variadic: 'VARIADIC is not allowed',
  setof: 'SETOF is not allowed',
  pct_type: '%TYPE is not allowed',
  useOp: 'ORDER BY USING is not allowed',
};
