/**
 * Makes a child process ignore signals to end. Terminals and service managers send them to all processes of a service, but the parent
 * decides when its children end.
 */
export function leaveSignalsToParent(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
}
