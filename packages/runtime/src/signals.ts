/**
 * For a process that works for another one: terminals and service managers send signals to all processes of a service, and it is for
 * the first to say when the others end.
 */
export function leaveSignalsToParent(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
}
