import type { TextsOf } from '../../../common/texts/textsOf.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

export const en = {
  pagesOf: (project: string) => `Pages of ${project}`,
  pages: { maps: 'Maps', users: 'Users', icons: 'Icons', jobs: 'Imports and exports', account: 'My account' },
  titles: {
    users: (project: string) => `Users of ${project}`,
    icons: (project: string) => `Icons of ${project}`,
    jobs: (project: string) => `Imports and exports in ${project}`,
    account: (_project: string) => 'My account',
  },
  change: 'Change',
  remove: 'Delete',
  save: 'Save',
  actions: 'Actions',
  changeOf: (name: string) => `Change ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
  // users
  onlyAdministrators: 'Only administrators of the project see its users.',
  userCount: (n: number) => `${number.format(n)} ${plural.select(n) === 'one' ? 'user' : 'users'}`,
  noUsers: 'No users yet. Administrators of the whole service are not listed.',
  newUser: 'New user',
  userTitle: (login: string) => `User ${login}`,
  login: 'Login',
  name: 'Name',
  email: 'E-mail',
  groups: 'Groups',
  groupsHint: 'With commas between them. A group that is new is made.',
  loginProblems: {
    code_taken: 'Another user has this login. Choose another one.',
    code_invalid: 'A login has 1 to 63 visible characters, without spaces and slashes.',
    code_reserved: 'The service uses this login itself. Choose another one.',
  } as Record<string, string>,
  password: 'Password',
  newPassword: 'New password',
  newPasswordHint: 'Empty: it stays as it is. A new one ends the sessions of the user.',
  guiAccess: 'May use this console',
  publicAccess: 'May also see what everybody may see',
  makeUser: 'Make the user',
  madeUser: (login: string) => `The user ${login} has been made`,
  savedUser: (login: string) => `Saved: ${login}`,
  deleteUser: 'Delete the user?',
  deletesUser: (login: string) => `${login} cannot sign in any more. What this user has made stays.`,
  deleteNow: 'Delete for good',
  deletedUser: (login: string) => `The user ${login} has been deleted`,
  // account
  ownPassword: 'Password',
  presentPassword: 'Present password',
  passwordHint: 'At least 8 characters. Your other sessions end.',
  changePassword: 'Change the password',
  passwordChanged: 'The password has been changed',
  sessions: 'Where you are signed in',
  sessionKinds: { console: 'Browser', rest: 'Program' },
  thisSession: 'This browser',
  lastUsed: (time: string) => `Last used: ${time}`,
  endSession: 'End',
  endOthers: 'End all others',
  // icons
  iconsHint: 'Styles name them: marker-file: url(name). The name of a file becomes the name of its icon.',
  uploadIcon: 'Add an SVG or PNG',
  storedIcon: (name: string) => `The icon ${name} has been stored`,
  deletedIcon: (name: string) => `The icon ${name} has been deleted`,
  // jobs
  noJobs: 'You have imported and exported nothing lately.',
  jobKinds: { import: 'Import into', export: 'Export of' },
  jobStates: {
    waiting: 'Waiting',
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  } as Record<string, string>,
  download: 'Download',
  forget: 'Remove from the list',
  cancelJob: 'Cancel',
};

/** The texts of the pages of a project in one language. The English texts define the keys. */
export type ProjectTexts = TextsOf<typeof en>;
