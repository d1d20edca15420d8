import type { TextsOf } from '../../common/texts/textsOf.js';
import { bytesText } from './bytes.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === 'one' ? one : other}`;

const shown = (value: unknown): string => (typeof value === 'number' ? number.format(value) : String(value));

/** The keys of a part of the page: their names with blanks between them, and what they do. */
export interface KeysOfPlace {
  place: string;
  keys: readonly (readonly [keys: string, effect: string])[];
}

export const en = {
  console: 'Console',
  skip: 'Skip to the content',
  projects: 'Projects',
  signInTo: (project: string) => `Sign in to ${project}`,
  signInHint: 'Sign in to make, fill and look after maps.',
  signInElsewhereHint: 'Each project has a sign-in of its own. Sign in to this one, too.',
  noAccess: 'You have no access to the console',
  noAccessHint: 'Ask an administrator of the project to let you use it.',
  noPlace: 'There is nothing at this address',
  noPlaceHint: 'It may have been moved or deleted.',
  toStart: 'To the start of the console',
  chooseProject: 'Choose a project',
  mapsOf: (project: string) => `Maps of ${project}`,
  findMap: 'Find by name or code',
  public: 'Public',
  newMap: 'New map',
  noMaps: 'No maps yet',
  noMapsHint: 'Make the first map; then it can be filled with layers.',
  mapName: 'Name',
  mapCode: 'Code',
  mapCodeHint: 'In the address: Latin letters, digits, _, -',
  isPublic: 'Everybody may see it',
  isPublicHint: 'Otherwise only users with a right of their own.',
  make: 'Make the map',
  cancel: 'Cancel',
  codeTaken: 'Another map has this code. Choose another one.',
  codeInvalid: 'A code has 1 to 63 Latin letters, digits, underscores and hyphens.',
  codeReserved: 'The service uses this code itself. Choose another one.',
  busy: 'The service is busy. Try again in a moment.',
  tooSlow: 'This took the service too long, and it was stopped.',
  tooMany: (seconds: number) =>
    `That is too much at once. Try again in ${count(seconds, 'second', 'seconds')}.`,
  tooManyUploads: 'You have too many unfinished uploads. The service removes them after a day.',
  ownAdministration: 'Only another administrator can take the administration of the project from you.',
  iconUsed: (layers: readonly string[]) =>
    `The styles of these layers use the icon: ${layers.join(', ') || 'layers that you may not see'}. Change them first.`,
  fileUnreadable: 'The file cannot be read: it has been moved, changed or deleted. Choose it once more.',
  tooLarge: (most: number | null) =>
    most === null
      ? 'This is larger than the service allows.'
      : `This is larger than the ${bytesText(most, 'en')} that the service allows.`,
  partFailed: 'This part of the page could not be loaded',
  partFailedHint:
    'Check the connection and open it again. If the service has been updated, save what you have begun and reload the page.',
  wrongPassword: 'The password is wrong.',
  signedOut: 'You are no longer signed in. Sign in and try again.',
  forbidden: 'Your rights do not allow this any more.',
  gone: 'It has been deleted meanwhile.',
  changedMeanwhile:
    'Somebody else has saved this meanwhile. “Cancel” shows it as it is now; then change it again.',
  wrongValues: {
    number: 'Only a number below 9,007,199,254,740,992 can be here, such as 1234.5.',
    string: 'Only a text of up to 4,000 characters can be here.',
    datetime: 'Only a date can be here.',
    json: 'Only JSON can be here, such as {"a": 1}.',
  } as Readonly<Record<string, string>>,
  wrongValue: 'This does not fit the type of the column.',
  emptyValue: 'This must not be empty.',
  onlyRange: (least: unknown, most: unknown) => {
    if (least === null) return `Only values up to ${shown(most)} are allowed here.`;
    const from = `Only values from ${shown(least)}`;
    return most === null ? `${from} on are allowed here.` : `${from} to ${shown(most)} are allowed here.`;
  },
  rules: {
    unique: 'Another object has this value already. Here it must be different in each.',
    check: 'Only the values of a list are allowed here.',
    dictionary: 'Only values of the dictionary of this column are allowed here.',
  } as Readonly<Record<string, string>>,
  show: (map: string) => `Look at the map ${map}`,
  remove: (map: string) => `Delete the map ${map}`,
  removeTitle: 'Delete the map?',
  removes: (map: string) => `This deletes ${map} for good, with:`,
  removesNothing: (map: string) => `This deletes ${map} for good. It is empty.`,
  removeNow: 'Delete for good',
  readers: (names: string) => `These layers read from it and will stop working: ${names}`,
  otherReaders: (n: number) => `${count(n, 'more layer', 'more layers')} that you may not see`,
  losses: {
    layers: (n: number) => count(n, 'layer', 'layers'),
    folders: (n: number) => count(n, 'folder', 'folders'),
    objects: (n: number) => count(n, 'object', 'objects'),
    values: (n: number) => count(n, 'value', 'values'),
    constraints: (n: number) => count(n, 'rule for values', 'rules for values'),
    dictionary_links: (n: number) =>
      `${count(n, 'column elsewhere that takes', 'columns elsewhere that take')} its values from here`,
    files: (n: number) => count(n, 'file', 'files'),
    grants: (n: number) => count(n, 'right that was given', 'rights that were given'),
    users: (n: number) => count(n, 'user', 'users'),
    groups: (n: number) => count(n, 'group of users', 'groups of users'),
    sessions: (n: number) => count(n, 'session', 'sessions'),
  },
  typeToDelete: (code: string) => `Type ${code} to delete it`,
  sort: 'Order',
  sorts: { changed: 'Last changed first', own: 'Order of the project', name: 'By name' },
  changed: (when: string) => `Changed ${when}`,
  removed: (map: string) => `The map ${map} has been deleted`,
  // command palette
  palette: 'Find and do',
  paletteHint: 'What do you look for?',
  noAction: 'Nothing here has this name',
  maps: 'Maps',
  places: 'Go to',
  guide: 'Guide',
  keyboardHelp: 'Keys',
  keys: [
    {
      place: 'Everywhere',
      keys: [
        ['Ctrl K', 'find a map, a layer or something to do'],
        ['?', 'this list'],
        ['Esc', 'close a dialog or a menu'],
        ['Tab', 'go to the next field or part of the page'],
      ],
    },
    {
      place: 'List of layers',
      keys: [
        ['↑ ↓', 'go to the layer above or below'],
        ['← →', 'close or open a folder'],
        ['Enter', 'show the details of a layer'],
        ['Space', 'switch a layer on or off'],
        ['F2', 'rename'],
        ['Delete', 'delete, after a question'],
        ['Alt ↑ ↓ ← →', 'move within the list, or out of and into a folder'],
        ['Shift F10', 'open the menu of a layer'],
      ],
    },
    {
      place: 'Map',
      keys: [
        ['↑ ↓ ← →', 'move the map'],
        ['+ -', 'zoom'],
        ['Enter', 'find what is drawn in the middle: its row, or its rule while the style is open'],
      ],
    },
    {
      place: 'Table',
      keys: [
        ['↑ ↓ ← →', 'go from cell to cell; with Ctrl to the first or last row or column'],
        ['Space', 'select the row'],
        ['Shift ↑ ↓', 'select several rows'],
        ['Ctrl A', 'select all rows'],
        ['Enter', 'change the value, and store it; on a title, sort'],
        ['Esc', 'give the value up'],
        ['Ctrl Z', 'take the last change back'],
        ['Shift ← →', 'on a title: make the column narrower or wider'],
      ],
    },
    {
      place: 'List of columns',
      keys: [
        ['Enter', 'change the column'],
        ['Alt ↑ ↓', 'move the column'],
        ['Delete', 'delete the column, after a question'],
      ],
    },
    {
      place: 'Editor of styles and queries',
      keys: [
        ['Ctrl Space', 'suggest what can stand here'],
        ['Alt C', 'pick the colour at the cursor'],
        ['Ctrl Z', 'take the last change back'],
        ['Esc Tab', 'leave the editor'],
      ],
    },
  ] as readonly KeysOfPlace[],
};

/** The texts of the console in one language. The English texts define the keys. */
export type ConsoleTexts = TextsOf<typeof en>;
