/**
 * Ends the process with a message when Node.js is too old. Programs import this module first, since later
 * imports may need what an older version lacks.
 */
const wanted = [20, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
  process.stderr.write(
    `Cartulary needs Node.js ${wanted.join('.')} or later; this is ${process.versions.node}\n`,
  );
  process.exit(1);
}
