// Uploads a picture. The server decodes it and answers with the address of the picture that it made.
import { answer } from '../../shared/api/client'
import { admin } from '../api/client'
import * as texts from '../texts/events'

/** The server's limit, checked first so that a large file is not sent in vain. */
const BYTES_MAX = 4 * 1024 * 1024

export async function upload(file: File): Promise<string> {
  if (file.size > BYTES_MAX) throw new Error(texts.theFileIsLarger)
  const made = await answer(
    admin.POST('/admin/v1/pictures', {
      // The document describes a file as a text of bytes.
      body: file as unknown as string,
      bodySerializer: (body) => body as unknown as BodyInit,
      headers: { 'Content-Type': file.type || 'application/octet-stream' },
    }),
  )
  return made.imageUrl
}
