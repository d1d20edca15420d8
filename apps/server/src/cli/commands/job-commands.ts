import type { Command } from 'commander';
import { pathOf } from '../client/client.js';
import { describeJob, followJob, type JobView, keepingAlive } from '../client/job.js';
import { withService } from '../client/session.js';
import { examples, print, projectOption } from '../command-line.js';
import { withInterrupt } from '../interrupt.js';
import { createProgress, printFields, printJson, printRows } from '../output.js';

const one = (command: Command): Command => command.addOption(projectOption());

/** `cartulary job …` */
export function jobCommands(program: Command): void {
  const job = examples(
    program.command('job').description('imports and exports that go on by themselves'),
    'job list --project city',
    'job follow 5f2c… --project city',
    'job cancel 5f2c… --project city',
  );
  one(job.command('list').description('your jobs, the newest first')).action((_options, command: Command) =>
    withService(command, async ({ client, json }) => {
      const jobs = await client.call<JobView[]>('GET', pathOf('jobs'));
      if (json) return printJson(jobs);
      printRows(
        ['id', 'kind', 'layer', 'state', 'created'],
        jobs.map(({ id, kind, map, layer, state, created }) => [
          id,
          kind,
          map === null ? '' : `${map}/${layer}`,
          state,
          created,
        ]),
      );
    }),
  );
  one(job.command('show <id>').description('a job: how far it is, or what became of it')).action(
    (id: string, _options, command: Command) =>
      withService(command, async ({ client, json }) => {
        const found = await client.call<JobView>('GET', pathOf('jobs', id));
        if (json) return printJson(found);
        const { state, kind, map, layer, error } = found;
        const message = (error as { message?: string } | null)?.message ?? '';
        printFields({ id, kind, layer: `${map}/${layer}`, state, at: describeJob(found), error: message });
      }),
  );
  one(
    job
      .command('follow <id>')
      .description('wait for the end of a job; Ctrl-C leaves it alone. The status is 1 when it failed'),
  ).action((id: string, _options, command: Command) =>
    withService(command, async ({ client, json, progress: wanted }) => {
      const progress = createProgress(wanted);
      const found = await client.call<JobView>('GET', pathOf('jobs', id));
      const following = { progress, signal: new AbortController().signal };
      const done = await keepingAlive(client, () => followJob(client, found, following)).finally(() =>
        progress.end(),
      );
      if (json) return printJson(done);
      print(`The ${done.kind} of ${done.map}/${done.layer} is done`);
    }),
  );
  one(
    job.command('cancel <id>').description('end a job, and nothing is stored; one that has ended is removed'),
  ).action((id: string, _options, command: Command) =>
    withService(command, async ({ client, json }) => {
      const job = await withInterrupt(() => client.call<JobView>('DELETE', pathOf('jobs', id)));
      if (json) return printJson(job);
      print(job.state === 'cancelled' ? `The ${job.kind} is cancelled` : `The ${job.kind} was ${job.state}`);
    }),
  );
}
