// Starts yaml-language-server with the schemas that other extensions contribute, as
// redhat.vscode-yaml does, and one of Deployments.
const path = require('node:path');
const vscode = require('vscode');
const {LanguageClient} = require(process.env.TYPED_CLIENT);

exports.activate = async () => {
  const client = new LanguageClient('yaml', 'yaml', {
    command: process.execPath, args: [path.join(process.env.TYPED_TOOLS, 'node_modules/yaml-language-server/bin/yaml-language-server'), '--stdio'],
    options: {env: {...process.env, ELECTRON_RUN_AS_NODE: '1'}},
  }, {documentSelector: [{language: 'yaml'}]});
  await client.start();
  const associations = [];
  for (const extension of vscode.extensions.all) {
    for (const {fileMatch, url} of extension.packageJSON.contributes?.yamlValidation ?? []) {
      associations.push({fileMatch: [fileMatch], uri: vscode.Uri.joinPath(extension.extensionUri, url).toString()});
    }
  }
  associations.push({fileMatch: ['deploy/*.yaml'], uri: vscode.Uri.file(path.join(__dirname, 'deployment.schema.json')).toString()});
  client.sendNotification('json/schemaAssociations', associations);
};
