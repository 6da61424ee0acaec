/** @returns milliseconds of this process's processor time since; the clock counts the other work of the machine, too */
export function processorTimer(): () => number {
  const started = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
}
