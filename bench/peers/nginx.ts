import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf, freePort, listening, type Stage } from '../stage.js';

/** Starts an nginx with one server of these locations on the loopback interface. Returns its address. */
export async function startNginx(
  stage: Stage,
  name: string,
  { workers, outside = '', locations }: { workers: number; outside?: string; locations: string },
): Promise<string> {
  const folder = await folderOf(stage, name);
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes ${workers};
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
daemon off;
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=20000 inactive=600s;
  keepalive_requests 10000000;
  keepalive_timeout 600s;
  ${temporary}
  ${outside}
  server { listen 127.0.0.1:${port}; server_name 127.0.0.1; ${locations} }
}
`,
  );
  stage.start('nginx', ['-c', file, '-e', join(folder, 'error.log'), '-p', folder]);
  await listening(port);
  return `http://127.0.0.1:${port}`;
}
