// Runs BPMN files through bpmn-engine; prints for each the CPU seconds of the run alone, one line of JSON.
//
// node bpmn_engine.mjs FOLDER FILE...    FOLDER is where the package is installed
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [folder, ...files] = process.argv.slice(2);
const { Engine } = createRequire(`${folder}/`)('bpmn-engine');

for (const file of files) {
  const engine = new Engine({ name: file, source: readFileSync(file, 'utf8') });
  await engine.getDefinitions();
  const before = process.cpuUsage();
  await new Promise((done, failed) => {
    engine.once('end', done);
    engine.once('error', failed);
    engine.execute({ variables: {} }).catch(failed);
  });
  const used = process.cpuUsage(before);
  console.log(JSON.stringify({ seconds: (used.user + used.system) / 1e6 }));
}
