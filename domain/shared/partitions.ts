/** The accounts are spread over this many partitions: `userId % accountPartitions`. */
export const accountPartitions = 64;
