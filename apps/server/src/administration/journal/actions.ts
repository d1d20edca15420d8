/** What an entry of the journal tells, by the method and path of the function that did it. */
const layer = '/:map/layers/:layer';
/** The features of a collection, in the door for OGC API Features. */
const items = '/:map/collections/:layer/items';
const actionOf = {
  'POST /': 'map_made',
  'PATCH /:map': 'map_changed',
  'DELETE /:map': 'map_deleted',
  'POST /:map/draft/publish': 'style_published',
  'POST /:map/publish': 'tree_published',
  'POST /:map/move': 'moved',
  'POST /:map/folders': 'folder_made',
  'PUT /:map/folders/:folder': 'folder_changed',
  'PATCH /:map/folders/:folder': 'folder_changed',
  'DELETE /:map/folders/:folder': 'folder_deleted',
  'POST /:map/layers': 'layer_made',
  [`PUT ${layer}`]: 'layer_changed',
  [`PATCH ${layer}`]: 'layer_changed',
  [`DELETE ${layer}`]: 'layer_deleted',
  [`POST ${layer}/draft/publish`]: 'style_published',
  [`POST ${layer}/refresh`]: 'refreshed',
  [`POST ${layer}/legend/refresh`]: 'refreshed',
  [`POST ${layer}/structure`]: 'column_made',
  [`PUT ${layer}/structure/:field`]: 'column_changed',
  [`PATCH ${layer}/structure/:field`]: 'column_changed',
  [`DELETE ${layer}/structure/:field`]: 'column_deleted',
  [`POST ${layer}/constraints`]: 'constraint_made',
  [`DELETE ${layer}/constraints`]: 'constraint_deleted',
  'POST /:map/dictionaries/:layer': 'dictionary_made',
  'DELETE /:map/dictionaries/:layer': 'dictionary_deleted',
  'POST /:map/dictionaries_f/:layer': 'dictionary_made',
  'DELETE /:map/dictionaries_f/:layer': 'dictionary_deleted',
  [`POST ${layer}/import`]: 'imported',
  [`POST ${layer}/import/undo`]: 'import_undone',
  [`POST ${layer}/makevalid`]: 'geometry_mended',
  [`POST ${layer}/objects`]: 'object_made',
  [`POST ${layer}/objects/batch`]: 'objects_changed',
  [`PUT ${layer}/objects/:object`]: 'object_changed',
  [`PUT ${layer}/objects/:object/geom`]: 'object_changed',
  [`DELETE ${layer}/objects/:object`]: 'object_deleted',
  [`DELETE ${layer}/objects`]: 'objects_deleted',
  [`POST ${items}`]: 'object_made',
  [`PUT ${items}/:object`]: 'object_changed',
  [`PATCH ${items}/:object`]: 'object_changed',
  [`DELETE ${items}/:object`]: 'object_deleted',
  [`POST ${layer}/objects/:object/copy`]: 'object_copied',
  [`POST ${layer}/objects/:object/files`]: 'file_added',
  [`DELETE ${layer}/objects/:object/files/:file`]: 'file_deleted',
  'PUT /rights': 'rights_changed',
  'PUT /:map/rights': 'rights_changed',
  [`PUT ${layer}/rights`]: 'rights_changed',
  'POST /users': 'user_made',
  'PATCH /users/:login': 'user_changed',
  'DELETE /users/:login': 'user_deleted',
  'DELETE /users/:login/sessions': 'sessions_ended',
  'DELETE /users/:login/sessions/:session': 'sessions_ended',
  'PUT /login/password': 'password_changed',
  'POST /login/keys': 'key_made',
  'POST /ext-auth': 'token_given',
  'POST /icons': 'icon_stored',
  'PUT /icons/:icon': 'icon_stored',
  'DELETE /icons/:icon': 'icon_deleted',
} as const;

export type JournalAction =
  | (typeof actionOf)[keyof typeof actionOf]
  | 'project_made'
  | 'project_changed'
  | 'project_deleted';

/** Functions that write and are not recorded: sessions, drafts, uploads and jobs of the caller alone, and reads with a body. */
export const unrecorded: readonly string[] = [
  'POST /login',
  'POST /logout',
  'POST /ext-login',
  'DELETE /login/sessions',
  'DELETE /login/sessions/:session',
  'PUT /:map/draft',
  'DELETE /:map/draft',
  `PUT ${layer}/draft`,
  `DELETE ${layer}/draft`,
  'POST /files/uploads',
  'PATCH /files/uploads/:upload',
  'DELETE /files/uploads/:upload',
  'DELETE /jobs/:job',
  'POST /:map/import', // a preview
  'POST /:map/query', // a preview
  `POST ${layer}/constraints/violations`,
  `POST ${layer}/export`,
  `POST ${layer}/filter`,
  `POST ${layer}/statistics`,
  `POST ${layer}/statistics/groups`,
  'POST /wms/:project/:map', // parameters of a request in a form
  'POST /wmts/:project/:map',
  'POST /wfs/:project/:map', // each transaction is recorded by its layers
];

/** The action of a route; undefined where it is not recorded. Earlier versions of the interface have the same actions. */
export const journalActionOf = (method: string, url: string): JournalAction | undefined =>
  (actionOf as Readonly<Record<string, JournalAction>>)[`${method} ${pathInProject(url)}`];

/** The path of a route below its project, without a slash at the end. */
const pathInProject = (url: string): string =>
  url.replace(/^\/(api\/[\d.]+|ogc)\/:project/, '').replace(/\/$/, '') || '/';
