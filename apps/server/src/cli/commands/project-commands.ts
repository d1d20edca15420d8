import type { Command } from 'commander';
import { examples, list, print, type Run } from './command-line.js';
import { createProject, deleteProject, listProjects } from './projects.js';

/** `cartulary project …` */
export function projectCommands(program: Command, run: Run): void {
  const project = examples(
    program.command('project').description('projects (catalogs)'),
    'project list',
    'project create parks --name "Parks of Paris" --languages en,fr',
    'project delete parks --yes',
  );
  project
    .command('list')
    .description('all projects: code, name, languages')
    .action(() =>
      run(async (db) => {
        for (const { code, name, languages } of await listProjects(db))
          print(code, name, languages.join(','));
      }),
    );
  project
    .command('create <code>')
    .description('make a project')
    .option('--name <name>', 'its name', '')
    .option('--languages <codes>', 'language codes, the main one first', list, ['en'])
    .action((code: string, options: { name: string; languages: string[] }) =>
      run(async (db) => {
        await db.transaction((tx) => createProject(tx, { code, ...options }));
        print(`The project '${code}' is made`);
      }),
    );
  project
    .command('delete <code>')
    .description('delete a project with all its maps, users and data')
    .requiredOption('--yes', 'confirm: this cannot be undone')
    .action((code: string) =>
      run(async (db) => {
        await db.transaction((tx) => deleteProject(tx, code));
        print(`The project '${code}' is deleted`);
      }),
    );
}
