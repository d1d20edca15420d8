import type { Command } from 'commander';
import {
  createProject,
  deleteProject,
  listProjects,
  type ProjectInput,
} from '../../access/users/projects.js';
import { type CommandRun, commaList, examples, print, printList } from '../command-line.js';

/** Creates a project at the address of a service; false when no address is given. */
type CreateAt = (command: Command, project: ProjectInput) => Promise<boolean>;

/** `cartulary project …` */
export function projectCommands(program: Command, run: CommandRun, createAt: CreateAt): void {
  const project = examples(
    program.command('project').description('projects (catalogs)'),
    'project list',
    'project create parks --name "Parks of Paris" --languages en,fr',
    'project delete parks --yes',
  );
  project
    .command('list')
    .description('all projects: code, name, languages')
    .action((_options, command: Command) =>
      run(async (db) =>
        printList(command, await listProjects(db), ({ code, name, languages }) => [
          code,
          name,
          languages.join(','),
        ]),
      ),
    );
  project
    .command('create <code>')
    .description('make a project')
    .option('--name <name>', 'its name', '')
    .option('--languages <codes>', 'language codes, the main one first', commaList, ['en'])
    .action(async (code: string, options: { name: string; languages: string[] }, command: Command) => {
      const project = { code, ...options };
      if (!(await createAt(command, project)))
        await run((db) => db.transaction(async (tx) => void (await createProject(tx, project))));
      print(`The project '${code}' is made`);
    });
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
