{{- define "lathe.selector" -}}
app.kubernetes.io/name: lathe
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "lathe.labels" -}}
{{ include "lathe.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "lathe.image" -}}
{{ if .root.Values.image.registry }}{{ .root.Values.image.registry }}/{{ end }}{{ .image }}:{{ default .root.Chart.AppVersion .root.Values.image.tag }}
{{- end }}

{{/* Settings of all processes, overridden by those of the role, then of the one Deployment; and files for secrets. */}}
{{- define "lathe.env" -}}
{{- $settings := mergeOverwrite (dict "STORAGE_KIND" "s3" "METRICS_HOST" "0.0.0.0" "METRICS_PORT" "9464") .root.Values.settings .settings -}}
{{- range $name, $value := $settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $key := .secret.keys }}
- name: {{ $key }}_FILE
  value: /run/secrets/lathe/{{ $key }}
{{- end }}
{{- end }}

{{- define "lathe.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ .name }}
    defaultMode: 288
    items:
{{- range $key := .keys }}
      - key: {{ $key }}
        path: {{ $key }}
{{- end }}
{{- end }}

{{- define "lathe.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
{{- end }}

{{- define "lathe.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "lathe.scheduling" -}}
{{- with .pod.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "lathe.selector" . | nindent 8 }}
{{- end }}

{{- define "lathe.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .root.Release.Name }}-{{ .component }}
  labels:
    {{- include "lathe.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ .maxUnavailable }}
  selector:
    matchLabels:
      {{- include "lathe.selector" . | nindent 6 }}
{{- end }}

{{/* Without an address of its own: Prometheus finds the pods by it, and its name tells the Deployment in metrics. */}}
{{- define "lathe.metricsService" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .root.Release.Name }}-{{ .component }}
  labels:
    {{- include "lathe.labels" . | nindent 4 }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    {{- include "lathe.selector" . | nindent 4 }}
  ports:
    - name: metrics
      port: 9464
      targetPort: metrics
{{- end }}
