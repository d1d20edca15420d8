import type { TextsOf } from '../../common/texts/textsOf.js';

const plural = new Intl.PluralRules('en');

export const en = {
  shareTitle: (map: string) => `Share ${map}`,
  tabShare: 'Link and page',
  tabRights: 'Rights',
  tabGroups: 'Groups',
  // link and page
  who: 'Who may see the map',
  everybody: 'Everybody',
  everybodyHint: 'Also without signing in, and in pages of others.',
  chosen: 'Only users with a right of their own',
  chosenHint: 'The others see neither the map nor its name.',
  onlyAdministrators: 'Only those who administer the map can change this.',
  link: 'Link',
  copyLink: 'Copy the link',
  embed: 'In another page',
  embedCode: 'HTML code',
  copyEmbed: 'Copy the code',
  embedHint:
    'Paste this into the source of your page. The operator of this service decides which sites may show it.',
  embedPrivate: 'A map that is not public cannot be shown in another page.',
  preview: (map: string) => `Preview of ${map}`,
  programs: 'Addresses for programs',
  addresses: {
    xyz: 'Tiles (XYZ)',
    tileJson: 'Tiles (TileJSON)',
    vector: 'Vector tiles (TileJSON)',
    style: 'Style for MapLibre',
    ogc: 'OGC API',
    wms: 'WMS',
    wmts: 'WMTS',
    wfs: 'WFS',
    interface: 'REST interface',
  },
  copyOf: (what: string) => `Copy: ${what}`,
  tokenHint:
    'Programs need a key of a user who may see the map, as ?token=… at the end of the address. “My account” makes keys.',
  // rights
  rightsHint:
    'Grey cells inherit from the cell left of them. Of a user, the groups and the public the highest right counts.',
  mapRightsHint:
    'Who has a right on this map. The groups and rights of the whole project are for its administrators.',
  toWhom: 'Who gets a right',
  aUser: 'A user',
  aGroup: 'A group',
  login: 'Login of the user',
  right: 'Right',
  give: 'Give the right',
  unknownPrincipal: 'The project has no user or group of this name.',
  onlyProject: 'Only administrators of the project see and change its rights.',
  findLayer: 'Find a layer',
  moreLayers: (n: number) =>
    `${n.toLocaleString('en')} ${plural.select(n) === 'one' ? 'layer is' : 'layers are'} not shown. Find them by name.`,
  principal: 'User or group',
  project: 'Project',
  map: 'Map',
  public: 'Everybody (public)',
  group: (name: string) => `Group ${name}`,
  rightOf: (who: string, place: string) => `Right of ${who} on ${place}`,
  levels: { none: 'None', view: 'View', edit: 'Edit', administer: 'Administer' },
  inherited: (level: string) => `${level} (inherited)`,
  notGranted: 'Not granted',
  saved: 'Saved',
  // why
  why: 'Why can somebody see it, or not?',
  user: 'User',
  place: 'Place',
  choose: 'Choose a user',
  reason: (who: string, level: string, place: string) => `${who} has the right “${level}” on ${place}.`,
  byOwn: (place: string) => `It is granted to the user on ${place}.`,
  byGroup: (group: string, place: string) => `It is granted to the group ${group} on ${place}.`,
  byPublic: (place: string) => `It is granted to everybody on ${place}.`,
  byInstallation: 'The user is an administrator of the installation.',
  byNobody: 'Nothing is granted to the user, to a group of the user or to everybody.',
  notPublished: 'The map is withdrawn: the right of everybody does not count.',
  places: { project: 'the project', map: 'the map', layer: 'the layer' },
  // groups
  groupsHint: 'A right of a group is a right of all its members.',
  groupName: 'Group',
  newGroup: 'New group',
  noUsers: 'There are no users in this project yet.',
  makeUsers: 'Make users',
  chooseGroup: 'Choose a group',
  members: (group: string) => `Members of ${group}`,
  groupHint: 'A new group is stored with its first member.',
};

/** The texts of sharing and rights in one language. The English texts define the keys. */
export type RightsTexts = TextsOf<typeof en>;
