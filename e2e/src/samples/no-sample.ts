/** Formats that can be read but have no sample here, and why. The matrix lists their pairs as left out. */
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
