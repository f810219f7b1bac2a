/**
 * Options that are stored and listed for the sake of sites that set them, and that nothing reads.
 * The settings screen marks them. An architecture test compares this list with what the sources
 * read.
 */
export const idleOptions: readonly string[] = [
  'DataExportInterval',
  'StreamCacheQueueLength',
  'FileUploadPermission',
  'FileDownloadPermission',
  'ImageUploadPermission',
  'ImageDownloadPermission',
  'LemonApiKey',
  'LemonStoreId',
  'LemonVariantId',
  'LemonWebhookSecret',
];
