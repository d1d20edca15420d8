const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === 'one' ? one : other}`;

export const en = {
  workspace: (map: string) => `${map}: layers and map`,
  mapHelp: 'Live map. The arrow keys move it, plus and minus zoom.',
  allMaps: (project: string) => `All maps of ${project}`,
  openMapPage: 'Open the map page',
  layers: 'Layers',
  showLayers: 'Show the layers',
  hideLayers: 'Hide the layers',
  details: 'Details',
  showDetails: 'Show the details',
  hideDetails: 'Hide the details',
  add: 'Add',
  share: 'Share',
  addFile: 'Data from a file',
  addLayer: 'Empty layer',
  addFolder: 'Folder',
  emptyTree: 'This map has no layers yet',
  emptyTreeHint: 'Drop a file with data here, or add the first layer.',
  emptyTreeViewer: 'There is nothing here that you may see.',
  treeHelp:
    'Enter shows the details, space switches a layer on or off. F2 renames, Delete deletes, Alt with an arrow key moves.',
  notListed: 'not on the map page',
  readOnly: 'you may only look at it',
  // menus of items
  actionsOf: (name: string) => `Actions for ${name}`,
  rename: 'Rename',
  remove: 'Delete',
  moveUp: 'Move up',
  moveDown: 'Move down',
  moveIn: 'Move into the folder above',
  moveOut: 'Move out of the folder',
  zoomTo: 'Show on the map',
  zoomToAll: 'Show the whole map',
  // dialogs
  newLayer: 'New layer',
  newFolder: 'New folder',
  title: 'Title',
  code: 'Code',
  codeHint: 'In addresses and styles: Latin letters, digits, _, -',
  geometry: 'What it will hold',
  geometryKinds: { point: 'Points', line: 'Lines', area: 'Areas', any: 'Anything' },
  make: 'Add',
  save: 'Save',
  cancel: 'Cancel',
  renameTitle: (name: string) => `Rename ${name}`,
  deleteLayer: 'Delete the layer?',
  deleteFolder: 'Delete the folder?',
  // news
  added: (name: string) => `${name} has been added`,
  renamed: (name: string) => `Saved: ${name}`,
  deleted: (name: string) => `${name} has been deleted`,
  moved: (name: string) => `${name} has been moved`,
  cannotMove: (name: string) => `${name} cannot be moved there`,
  treeChanged: 'Somebody else has changed the layers meanwhile. This is how they are now.',
  // inspector
  tabLayer: 'Layer',
  tabFolder: 'Folder',
  tabMap: 'Map',
  kind: 'Kind',
  kinds: {
    layer: 'Objects',
    virtual: 'Query',
    material: 'Stored query',
    raster: 'Image',
    external: 'Pictures of another server',
    folder: 'Folder',
  } as Record<string, string>,
  objects: 'Objects',
  columns: 'Columns',
  extent: 'Extent',
  noExtent: 'Nothing in it has a geometry yet',
  onMapPage: 'On the map page',
  shownAtStart: 'Shown at the start',
  listedOff: 'In the list, switched off',
  hidden: 'Not there',
  publicMap: 'Everybody may see this map',
  privateMap: 'Only users with a right of their own may see this map',
  layerCount: (n: number) => count(n, 'layer', 'layers'),
  chooseItem: 'Choose a layer or folder to see and change what it is.',
  display: 'In the list of layers',
  displays: ['Open', 'Collapsed', 'One at a time'],
  // style
  tabStyle: 'Style',
  cartoCss: 'CartoCSS',
  styleHint: 'What you type is drawn on the map at once, for you alone, until you save it.',
  draftHint: 'Not saved yet: you alone see it.',
  discardDraft: 'Discard the draft',
  pointHint: 'Click the map to find the layer and the rule that drew something.',
  nothingThere: 'Nothing that is shown is drawn there.',
  copyStyle: 'Copy this style to another layer',
  copyTo: 'Layer that gets it',
  copyAsDraft: 'Copy as a draft',
  placeInStyle: (line: number, column: number) => `Line ${line}, column ${column}`,
  // conflicts
  conflictTitle: 'Somebody else has saved this meanwhile',
  conflictHint: 'Choose what to keep of each.',
  mine: 'Yours',
  theirs: 'Theirs',
  empty: '(empty)',
  saveChoice: 'Save this choice',
  discard: 'Keep theirs',
};

/** The texts of the workspace in one language. The English texts define the keys. */
export type WorkspaceTexts = {
  [K in keyof typeof en]: (typeof en)[K] extends string
    ? string
    : (typeof en)[K] extends Record<string, string>
      ? Record<keyof (typeof en)[K], string>
      : (typeof en)[K];
};
