/** Device names, which Windows reserves with any extension: a clone there has no file of such a name. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** @param name of a file or folder, without its path */
export const isDeviceName = (name: string): boolean => DEVICE.test(name);
