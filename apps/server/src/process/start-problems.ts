/** Instructions by the error code of a failed listen. */
const listening: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there. Stop it, or set PORT to another port (0 takes a free one)',
  EADDRNOTAVAIL:
    'this machine has no such address. Set HOST to one of its own: 127.0.0.1 for itself alone, 0.0.0.0 for all',
  ENOTFOUND: 'no such host is known. Set HOST to an address of this machine: 127.0.0.1, or 0.0.0.0 for all',
  EAI_AGAIN: 'its name cannot be looked up now. Set HOST to an address of this machine, such as 127.0.0.1',
  EACCES:
    'the user who runs the service may not use this port. Set PORT to one above 1023, and let a proxy listen on the other',
  EAFNOSUPPORT: 'this machine does not know addresses of this kind. Set HOST to another',
};

/** Describes a failure to listen for the operator. Other errors are returned unchanged. */
export function describeListening(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  const reason = listening[code];
  return reason ? new Error(`It cannot listen on ${host}, port ${port}: ${reason}`, { cause: error }) : error;
}
