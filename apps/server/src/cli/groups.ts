import type { Command } from 'commander';

/** The commands by name. Each is loaded only when it is named, so that the tool starts fast. */
const groups: Readonly<Record<string, (program: Command) => Promise<void>>> = {
  login: async (program) => (await import('./commands/login-commands.js')).loginCommands(program),
  map: async (program) => (await import('./commands/map-commands.js')).mapCommands(program),
  folder: async (program) => (await import('./commands/folder-commands.js')).folderCommands(program),
  layer: async (program) => (await import('./commands/layer-commands.js')).layerCommands(program),
  column: async (program) => (await import('./commands/column-commands.js')).columnCommands(program),
  style: async (program) => (await import('./commands/style-commands.js')).styleCommands(program),
  import: async (program) => (await import('./commands/import-command.js')).importCommand(program),
  export: async (program) => (await import('./commands/export-command.js')).exportCommand(program),
  job: async (program) => (await import('./commands/job-commands.js')).jobCommands(program),
  project: async (program) => {
    const [{ projectCommands }, { onDatabase }, { createProjectAt }] = await Promise.all([
      import('./commands/project-commands.js'),
      import('./commands/on-database.js'),
      import('./commands/at-address.js'),
    ]);
    projectCommands(program, onDatabase(program), createProjectAt);
  },
  user: async (program) => {
    const [{ userCommands, usersInDatabase }, { onDatabase }, { usersAt }] = await Promise.all([
      import('./commands/user-commands.js'),
      import('./commands/on-database.js'),
      import('./commands/at-address.js'),
    ]);
    userCommands(program, usersAt(usersInDatabase(onDatabase(program))));
  },
  group: async (program) => {
    const [{ groupCommands }, { onDatabase }] = await Promise.all([
      import('./commands/user-commands.js'),
      import('./commands/on-database.js'),
    ]);
    groupCommands(program, onDatabase(program));
  },
  grant: async (program) => (await import('./commands/grant-commands.js')).grantCommands(program),
  tiles: async (program) => {
    const [{ tileCommands }, { onDatabase }] = await Promise.all([
      import('./commands/tiles.js'),
      import('./commands/on-database.js'),
    ]);
    tileCommands(program, onDatabase(program));
  },
};

/**
 * Loads the commands that the arguments name. Loads all of them when none is named, for the help and for
 * mistyped names.
 */
export async function loadCommands(program: Command, given: string[]): Promise<void> {
  const words = new Set(given.map((word) => (word === 'logout' ? 'login' : word)));
  const own = program.commands.some((command) => words.has(command.name()));
  const named = Object.keys(groups).filter((name) => words.has(name));
  if (words.has('help') || (!named.length && !own)) named.splice(0, named.length, ...Object.keys(groups));
  for (const name of named) await groups[name]!(program);
}
