/** Formats that are read but that nothing here can make a sample of, and why. The matrix leaves their pairs out by name. */
export const noSample: Readonly<Record<string, string>> = {
  hwp: 'only Hangul writes it',
  key: 'only Keynote writes it',
  numbers: 'only Numbers writes it',
  pub: 'only Publisher writes it',
  rar: 'only WinRAR writes it',
  sda: 'only StarOffice wrote it',
  sdc: 'only StarOffice wrote it',
  sdd: 'only StarOffice wrote it',
  sdw: 'only StarOffice wrote it',
  vsd: 'only Visio writes it',
  wps: 'only Works wrote it',
  tak: 'No program of the engine root writes TAK audio.',
}
