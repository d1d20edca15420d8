import { type CallOptions, ServiceCalls } from './calls.js';
import { ClientJob } from './jobs.js';
import { type ListOptions, objectsOf } from './objects.js';
import { sendResumable } from './resumable.js';
import { browserSessions, closeBrowserSession, openBrowserSession } from './sessions.js';
import type {
  ExportSettings,
  FileDetails,
  ImportSettings,
  JobDetails,
  LayerOfMap,
  ObjectDetails,
  ObjectSelection,
} from './types.js';
import { formWithFile, sendUpload, type UploadOptions, type UploadSource } from './uploads.js';

const layerPath = '/api/2.8/{project}/{map}/layers/{layer}';

interface Credentials {
  login: string;
  password: string;
}

/** The object and column that a file is added to. */
export interface ObjectFilePlace extends LayerOfMap {
  object: number;
  /** Code of the column. */
  field: string;
}

/** A client of one project of a service: typed calls, sign-in, lists, uploads and jobs. */
export class CartularyClient extends ServiceCalls {
  /** Signs in with a token, which all later calls send. */
  async signIn({ login, password }: Credentials, options: CallOptions = {}): Promise<void> {
    const body = { login, password };
    ({ token: this.token } = await this.post('/api/2.8/{project}/login/', { ...options, body }));
  }

  /** Ends the session of the token. */
  async signOut(options: CallOptions = {}): Promise<void> {
    if (this.token) await this.post('/api/2.8/{project}/logout/', options);
    this.token = '';
  }

  /** Signs in with a cookie: for pages that the service itself serves. */
  async openSession(credentials: Credentials): Promise<void> {
    ({ csrf: this.csrf } = await openBrowserSession(this, { project: this.project, ...credentials }));
  }

  /** Takes up the browser's session in this project. Tells whether there is one. */
  async resumeSession(): Promise<boolean> {
    const { sessions } = await browserSessions(this);
    this.csrf = sessions.find(({ project }) => project === this.project)?.csrf ?? '';
    return this.csrf !== '';
  }

  /** Ends the browser's session in this project. */
  async closeSession(): Promise<void> {
    await closeBrowserSession(this, { project: this.project, csrf: this.csrf });
    this.csrf = '';
  }

  /** All objects that are selected, however many: they are asked for as the loop goes on. */
  objects(
    path: LayerOfMap,
    selection: ObjectSelection = {},
    options: ListOptions = {},
  ): AsyncGenerator<ObjectDetails> {
    return objectsOf(this, path, selection, options);
  }

  /** A job by its id. */
  job(id: string): ClientJob {
    return new ClientJob(this, id);
  }

  /** Sends a file to a layer. The job, which stores it, begins when the service has received it. */
  async importFile(
    path: LayerOfMap,
    file: { name: string; source: UploadSource },
    { settings = {}, ...options }: UploadOptions & { settings?: ImportSettings } = {},
  ): Promise<ClientJob> {
    const query = new URLSearchParams({ ...(settings as Record<string, string>), async: '1' });
    const headers = {
      'content-type': 'application/octet-stream',
      'x-filename': encodeURIComponent(file.name),
    };
    const address = `${this.#layer(path)}import/?${query}`;
    const response = await sendUpload(this, { address, headers, source: file.source }, options);
    return this.job(((await response.json()) as JobDetails).id);
  }

  /** Sends a file as an upload that goes on after a broken connection. Gives its id, by which imports take it. */
  upload(file: { name: string; source: UploadSource }, options: UploadOptions = {}): Promise<string> {
    return sendResumable(this, file, options);
  }

  /** Imports an upload into a layer. The upload stays. */
  async importUpload(
    path: LayerOfMap,
    upload: string,
    settings: ImportSettings = {},
    options: CallOptions = {},
  ): Promise<ClientJob> {
    const query = new URLSearchParams({ ...(settings as Record<string, string>), upload, async: '1' });
    const address = `${this.#layer(path)}import/?${query}`;
    const { id } = await this.read<JobDetails>(address, { ...options, method: 'POST' });
    return this.job(id);
  }

  /** Begins an export; `job.file()` is its file. */
  async exportFile(
    path: LayerOfMap,
    settings: ExportSettings,
    options: CallOptions = {},
  ): Promise<ClientJob> {
    const json = { ...settings, async: '1' };
    const { id } = await this.read<JobDetails>(`${this.#layer(path)}export/`, {
      ...options,
      method: 'POST',
      json,
    });
    return this.job(id);
  }

  /** Adds a file to a column of an object. */
  async addFile(
    { object, field, ...path }: ObjectFilePlace,
    file: { name: string; source: UploadSource },
    options: UploadOptions = {},
  ): Promise<FileDetails> {
    const { source, type } = await formWithFile(file.source, file.name);
    const address = `${this.#layer(path)}objects/${object}/files/?${new URLSearchParams({ field })}`;
    const response = await sendUpload(this, { address, headers: { 'content-type': type }, source }, options);
    return (await response.json()) as FileDetails;
  }

  #layer(path: LayerOfMap): string {
    return this.address(`${layerPath}/`, { path });
  }
}
