import { rename } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Business } from '../business/business.ts';
import { addUploadFile, readUpload, tellTrouble, uploadedBytes } from '../control/businesses/uploads.ts';
import { freeBytes, KEPT_FREE_BYTES, watchDisk } from '../control/data-folder/free-disk.ts';
import { leftoverBytes } from '../snapshot/leftovers.ts';
import { businessGate } from '../store/personal-data/business-gate.ts';
import { plural } from '../text/plural.ts';
import { receiveFiles } from './receive-files.ts';
import { safeName } from './safe-name.ts';
import { makeFilesFolder, type UploadPlace } from './upload-folder.ts';
import { describeBytes, MOST_FILES, type UploadLimits } from './upload-limits.ts';

/** Forms that may send files at the same time. */
const MOST_AT_ONCE = { account: 2, all: 20 };
/** The most uploads of one account that are not published. */
const MOST_UPLOADS = 10;

export interface ReceptionOptions extends UploadPlace {
  readonly secret: Buffer;
  readonly limits: UploadLimits;
}

/** A form whose files are coming, or will come in a moment. */
export interface ComingForm extends Disposable {
  readonly account_id: string;
  /** How many bytes it announced. */
  readonly bytes: number;
  /** Null until there is the upload that it begins. */
  upload_id: string | null;
}

type CountedForm = Pick<ComingForm, 'account_id' | 'bytes' | 'upload_id'>;

/**
 * Takes in files that people bring, within limits: of each file, upload and account, of all, and of the disk.
 */
export class Reception {
  readonly limits: UploadLimits;
  readonly #place: UploadPlace;
  readonly #secret: Buffer;
  readonly #coming = new Set<ComingForm>();

  constructor({ control, data, secret, limits }: ReceptionOptions) {
    this.#place = { control, data };
    this.#secret = secret;
    this.limits = limits;
  }

  /**
   * Room for a form, until it is disposed of; or why it is not read, with what to do instead. It is counted
   * before anything is looked up, so that forms that come at once do not each find the same room free.
   *
   * @param bytes how many the form announced
   * @param upload_id the upload that it adds to; null where it begins one
   */
  async reserve(form: Pick<ComingForm, 'account_id' | 'upload_id' | 'bytes'>): Promise<ComingForm | string> {
    // Copies: a form that ends while this looks things up is counted twice rather than not at all.
    const others = [...this.#coming].map((other) => ({ ...other }));
    const coming: ComingForm = {
      ...form,
      [Symbol.dispose]: () => {
        this.#coming.delete(coming);
      },
    };
    this.#coming.add(coming);
    try {
      const why = await this.#whyNot(coming, others);
      if (why === null) return coming;
      coming[Symbol.dispose]();
      return why;
    } catch (error) {
      coming[Symbol.dispose]();
      throw error;
    }
  }

  async #whyNot(
    { account_id, upload_id, bytes }: CountedForm,
    others: readonly CountedForm[],
  ): Promise<string | null> {
    const { upload, account, all } = this.limits;
    const own = others.filter((other) => other.account_id === account_id);
    if (own.length >= MOST_AT_ONCE.account || others.length >= MOST_AT_ONCE.all)
      return 'Other files are coming in at this moment. Wait until they are here, then try again.';
    const kept = await uploadedBytes(this.#place.control, account_id);
    const uploads = kept.uploads + own.filter((other) => other.upload_id === null).length;
    if (upload_id === null && uploads >= MOST_UPLOADS)
      return `You have ${plural(uploads, 'upload that is', 'uploads that are')} not published. Publish or discard one first.`;
    const ofUpload =
      sum([
        ...(await this.#filesOf(upload_id)),
        ...own.filter((other) => upload_id !== null && other.upload_id === upload_id),
      ]) + bytes;
    if (ofUpload > upload)
      return `An upload may have ${describeBytes(upload)}, and this would be ${describeBytes(ofUpload)}. Zip the files, or bring them in several uploads.`;
    if (kept.account + sum(own) + bytes > account)
      return `Your uploads that are not published may have ${describeBytes(account)} together. Publish or discard some first.`;
    if (kept.all + (await leftoverBytes(this.#place.data)) + sum(others) + bytes > all)
      return 'The uploads of all people here take as much room as they may. Try again later, or ask whoever runs this Storesight.';
    if ((await freeBytes(this.#place.data)) - sum(others) - bytes < KEPT_FREE_BYTES)
      return 'The disk of this server has no room for these files. Ask whoever runs this Storesight.';
    return null;
  }

  async #filesOf(uploadId: string | null): Promise<readonly { readonly bytes: number }[]> {
    return uploadId === null ? [] : ((await readUpload(this.#place.control, uploadId))?.files ?? []);
  }

  /**
   * Keeps the files of a form in its upload. What went wrong is written down there.
   *
   * @returns how many files came, and their bytes
   */
  async receive(
    incoming: IncomingMessage,
    upload_id: string,
    business: Business,
  ): Promise<{ readonly files: number; readonly bytes: number }> {
    const { control, data } = this.#place;
    const came = { files: 0, bytes: 0 };
    let isTooMany = false;
    const gate = businessGate(this.#secret, business);
    const nameOf = (told: string, taken: ReadonlySet<string>) =>
      safeName(told, (text) => gate.shown(text), taken);
    const folder = await makeFilesFolder(data, upload_id);
    const disk = watchDisk(data);
    try {
      const trouble = await receiveFiles(incoming, {
        folder,
        fileBytes: this.limits.file,
        full: disk.signal,
        shown: (told) => nameOf(told, new Set()),
        keep: async (part, told, size) => {
          const files = await addUploadFile(control, upload_id, {
            bytes: size,
            nameOf: (taken) => nameOf(told, taken),
            keep: (name) => rename(part, join(folder, name)),
          });
          isTooMany = files > MOST_FILES;
          came.files += 1;
          came.bytes += size;
        },
      });
      await tellTrouble(control, upload_id, trouble ?? (isTooMany ? TOO_MANY : null));
    } finally {
      disk.stop();
    }
    return came;
  }
}

const TOO_MANY = `an upload should have at most ${MOST_FILES} files; put them into a zip archive`;

function sum(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}
