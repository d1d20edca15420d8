/**
 * The files of a drop, those of each folder by themselves: files of the same name in two folders belong to different data
 * sets. Must be called while the event is handled.
 */
export async function droppedFiles(items: DataTransferItemList): Promise<File[][]> {
  const files: File[] = [];
  const folders: FileSystemDirectoryEntry[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry?.isDirectory) folders.push(entry as FileSystemDirectoryEntry);
    else if (file) files.push(file);
  }
  const inFolders = await Promise.all(folders.map(filesIn));
  return [files, ...inFolders.flat()].filter((group) => group.length > 0);
}

/** The files of a folder and of those in it. What systems keep there for themselves begins with a dot. */
async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[][]> {
  const entries = (await entriesOf(folder)).filter(({ name }) => !name.startsWith('.'));
  const files = entries.filter((entry): entry is FileSystemFileEntry => entry.isFile);
  const folders = entries.filter((entry): entry is FileSystemDirectoryEntry => entry.isDirectory);
  const own = await Promise.all(
    files.map((entry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))),
  );
  return [own, ...(await Promise.all(folders.map(filesIn))).flat()];
}

/** The browser gives the entries of a folder in several parts, the last of which is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (!part.length) return entries;
    entries.push(...part);
  }
}
